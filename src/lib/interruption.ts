/** By the number of each signal, as a shell would report it. */
const interruptions = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/**
 * Until the returned function is called, an interruption cleans up and ends the process with the signal's usual status.
 */
export function cleanUpWhenInterrupted(cleanUp: () => void): () => void {
  const handlers = Object.entries(interruptions).map(([signal, status]) => {
    const exit = (): never => process.exit(status)
    process.on(signal, exit)
    return () => process.off(signal, exit)
  })
  // Not in the handlers: the first one ends the process, and each has something of its own to clean up.
  process.on('exit', cleanUp)
  return () => {
    process.off('exit', cleanUp)
    for (const remove of handlers) remove()
  }
}
