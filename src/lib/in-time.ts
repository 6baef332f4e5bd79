/** A process that was kept from running, as all are while a machine stands still, loses one piece of its wait and not all of it. */
const pieceMs = 250

/** What the promise resolves with, or `late`. A process that was kept from running first reads what has arrived meanwhile. */
export async function inTime<T>(promise: Promise<T>, ms: number): Promise<T | 'late'> {
  let timer: Timer | undefined
  const late = new Promise<'late'>((resolve) => {
    const wait = (leftMs: number): void => {
      timer = setTimeout(() => (leftMs > pieceMs ? wait(leftMs - pieceMs) : void giveUp()), Math.min(leftMs, pieceMs))
    }
    const giveUp = async (): Promise<void> => {
      await turnOfTheLoop()
      await turnOfTheLoop()
      resolve('late')
    }
    wait(Math.max(0, ms))
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

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
