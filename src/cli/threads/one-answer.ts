import { faultPlace } from '../../lib/fault-place.ts'
import { OperatorError } from '../../lib/operator-error.ts'

type Outcome<Answer> = { answer: Answer } | { refused: string } | Failed

interface Failed {
  failed: string
  /** Of the thread: the asker's own does not tell where it failed. */
  stack?: string | undefined
}

declare const self: Worker

/** Answers the only message that this thread gets. */
export function answerInThread<Asked, Answer>(answerTo: (asked: Asked) => Promise<Answer>): void {
  self.onmessage = async ({ data }: MessageEvent<Asked>) => {
    const outcome: Outcome<Answer> = await answerTo(data).then(
      (answer) => ({ answer }),
      (error) => {
        if (error instanceof OperatorError) return { refused: error.message }
        return error instanceof Error ? { failed: error.message, stack: error.stack } : { failed: 'unknown' }
      },
    )
    self.postMessage(outcome)
  }
}

interface Asking {
  /** Completes "The thread that", such as `examines the box`. */
  purpose: string
  /** Gives the work up. What SQLite is at in the thread goes on to its end, and nobody waits for it. */
  signal?: AbortSignal
}

/**
 * Asks a thread that ends with its answer: for work that takes minutes.
 *
 * @throws OperatorError if the answer threw one, Error with the message of any other, or that the thread has ended; the
 *   signal's reason
 */
export function askThread<Asked, Answer>(
  workerFile: string | URL,
  asked: Asked,
  { purpose, signal }: Asking,
): Promise<Answer> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const worker = new Worker(workerFile, { smol: true })
  worker.onmessage = ({ data }: MessageEvent<Outcome<Answer>>) => {
    if ('answer' in data) resolve(data.answer)
    else reject('refused' in data ? new OperatorError(data.refused) : failure(data))
  }
  const end = (reason: string) => reject(new Error(`the thread that ${purpose} has ended: ${reason}`))
  worker.onerror = ({ message }) => end(faultPlace(message))
  worker.addEventListener('close', () => end('it says no reason'))
  const giveUp = () => reject(signal?.reason)
  signal?.addEventListener('abort', giveUp)
  worker.postMessage(asked)
  return promise.finally(() => {
    signal?.removeEventListener('abort', giveUp)
    worker.terminate()
  })
}

const failure = ({ failed, stack }: Failed): Error => Object.assign(new Error(failed), stack !== undefined && { stack })
