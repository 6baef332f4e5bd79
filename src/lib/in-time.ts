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
