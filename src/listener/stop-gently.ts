/** What is needed of Bun's server to end it. */
export interface Stoppable {
  stop(closeActiveConnections?: boolean): Promise<void>
}

/** Stops accepting and waits for what is in flight; what is still under way after `graceMs` is cut. */
export async function stopGently(server: Stoppable, graceMs: number): Promise<void> {
  let timer: Timer | undefined
  const cut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs)
  })
  await Promise.race([server.stop(), cut])
  clearTimeout(timer)
  await server.stop(true)
}
