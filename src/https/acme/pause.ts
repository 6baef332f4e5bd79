/** Waits. Rejects with the signal's reason if it aborts first. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

export const timedPause: Pause = async (ms, signal) => {
  let timer: Timer | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await unlessAborted(over, signal)
  } finally {
    clearTimeout(timer)
  }
}

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
