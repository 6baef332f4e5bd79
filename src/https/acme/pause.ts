import { unlessAborted } from '../../lib/unless-aborted.ts'

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
