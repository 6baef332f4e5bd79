import { sentStream } from '../../lib/sent-stream.ts'
import type { ConsoleBox } from '../console-box.ts'
import { loggedBreak } from '../log-failure.ts'

/** So much of an answer is known before its first byte leaves. */
const heldCharactersMax = 65_536

/**
 * A text that is read while it is sent, and that nobody takes for whole where it cannot be read to its end: a short one is
 * refused; a long one, of which a part has left by then, breaks off.
 */
export async function wholeAnswer(
  chunks: AsyncIterable<string>,
  { log }: Pick<ConsoleBox, 'log'>,
): Promise<ReadableStream<Uint8Array>> {
  const rest = chunks[Symbol.asyncIterator]()
  let begun = ''
  while (begun.length <= heldCharactersMax) {
    const { done, value } = await rest.next()
    if (done === true) break
    begun += value
  }
  return sentStream(joined(begun, rest), { onFailure: loggedBreak(log) })
}

async function* joined(begun: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    yield begun
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
