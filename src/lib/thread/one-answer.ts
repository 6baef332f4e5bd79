import { OperatorError } from '../operator-error.ts'

type Outcome<Answer> = { answer: Answer } | { refused: string } | { failed: string }

declare const self: Worker

/** Answers the only message that this thread gets. */
export function answerInThread<Asked, Answer>(answerTo: (asked: Asked) => Promise<Answer>): void {
  self.onmessage = async ({ data }: MessageEvent<Asked>) => {
    const outcome: Outcome<Answer> = await answerTo(data).then(
      (answer) => ({ answer }),
      (error) => {
        if (error instanceof OperatorError) return { refused: error.message }
        return { failed: error instanceof Error ? error.message : 'unknown' }
      },
    )
    self.postMessage(outcome)
  }
}

/**
 * Asks a thread that ends with its answer: for work that takes minutes.
 *
 * @param purpose completes "The thread that", such as `examines the box`
 * @throws OperatorError if the thread threw one, and Error with the message of any other
 */
export function askThread<Asked, Answer>(workerFile: string | URL, asked: Asked, purpose: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const worker = new Worker(workerFile, { smol: true })
  worker.onmessage = ({ data }: MessageEvent<Outcome<Answer>>) => {
    if ('answer' in data) resolve(data.answer)
    else reject('refused' in data ? new OperatorError(data.refused) : new Error(data.failed))
  }
  worker.onerror = ({ message }) => reject(new Error(message))
  worker.addEventListener('close', () => reject(new Error(`The thread that ${purpose} has ended.`)))
  worker.postMessage(asked)
  return promise.finally(() => worker.terminate())
}
