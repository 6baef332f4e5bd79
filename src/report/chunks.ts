import { jsonText } from './json-text.ts'

/** Buffers this many characters before each write. */
const chunkCharacters = 65_536

/** Joins lines into chunks of about 64 K characters; a longer line is a separate chunk. */
export async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const line of lines) {
    if (chunk.length + line.length > chunkCharacters && chunk !== '') {
      yield chunk
      chunk = ''
    }
    chunk += line
  }
  if (chunk !== '') yield chunk
}

/** One JSON object a line (docs/exports.md), in chunks of bounded size. */
export const jsonLines = (records: AsyncIterable<object>): AsyncIterable<string> => inChunks(lines(records))

async function* lines(records: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const record of records) yield `${jsonText(record)}\n`
}
