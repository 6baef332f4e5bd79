import { read } from 'node:fs'
import { isTerminal } from '../output/streams.ts'
import type { Session } from '../session.ts'

/** Whether somebody sits at a terminal who sees a question and can answer it. */
export const canAsk = ({ err }: Pick<Session, 'err'>): boolean => isTerminal(0) && err.isTerminal

/** More is not read: questions are answered with a word. */
const answerBytesMax = 256

/** Asks a question on the terminal; resolves to the line that was typed, or to nothing at the end of the input. */
export async function askedLine(question: string, { err }: Pick<Session, 'err'>): Promise<string> {
  err.write(question)
  const { promise, resolve } = Promise.withResolvers<string>()
  const bytes = Buffer.alloc(answerBytesMax)
  // A terminal hands over a whole line at a time.
  read(0, bytes, 0, bytes.length, null, (error, count) => resolve(error ? '' : bytes.toString('utf8', 0, count)))
  return (await promise).trim()
}
