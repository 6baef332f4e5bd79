import { sentStream } from '../../lib/sent-stream.ts'
import type { Lack } from '../../operations/record/lack.ts'
import type { ConsoleBox } from '../console-box.ts'
import { loggedBreak } from '../log-failure.ts'
import { ApiError } from './api-error.ts'

/** So much of an answer is known before its first byte leaves. */
const heldCharactersMax = 65_536

interface Whole extends Pick<Lack, 'isWhole'>, Pick<ConsoleBox, 'log'> {
  /** Whether the caller takes what can be read for the whole. */
  partial: boolean
}

/**
 * A text that is read while it is sent, and that nobody takes for whole where records are missing in it: a command says that by its
 * exit status. A short one is refused. A long one, of which a part has left by then, breaks off at its end.
 *
 * @throws ApiError `conflict`
 */
export async function wholeAnswer(
  chunks: AsyncIterable<string>,
  { partial, isWhole, log }: Whole,
): Promise<ReadableStream<Uint8Array>> {
  const rest = chunks[Symbol.asyncIterator]()
  const isFit = () => partial || isWhole()
  const onFailure = loggedBreak(log)
  let begun = ''
  while (begun.length <= heldCharactersMax) {
    const { done, value } = await rest.next()
    if (done !== true) begun += value
    else if (isFit()) return sentStream(oneChunk(begun), { onFailure })
    else throw new ApiError('conflict', lackWords)
  }
  return sentStream(joined(begun, rest), { isWhole: isFit, onFailure })
}

const lackWords =
  'Some of the records cannot be read. Run `capture doctor` on the box; with partial=true the answer has all others.'

async function* oneChunk(text: string): AsyncGenerator<string> {
  yield text
}

async function* joined(begun: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    yield begun
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
