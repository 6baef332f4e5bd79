/** Settles like the promise, or rejects with the signal's reason if it aborts first. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const end = (): void => reject(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
