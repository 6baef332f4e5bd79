/** Settles like the promise, or rejects with the signal's reason if it aborts first. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const end = (): void => reject(signal.reason)
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  try {
    // Also where the signal has aborted already: a promise that nobody listens to would end the thread when it rejects.
    return await Promise.race([aborted, promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
