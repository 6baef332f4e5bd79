/** The part of Bun's server needed to stop it. */
interface Stoppable {
  stop(closeActiveConnections?: boolean): Promise<void>
}

/** Stops accepting and waits for answers in flight; after `graceMs` cuts the rest. */
export async function stopGently(server: Stoppable, graceMs: number): Promise<void> {
  let timer: Timer | undefined
  const cut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs)
  })
  await Promise.race([server.stop(), cut])
  clearTimeout(timer)
  await server.stop(true)
}
