/** Characters that JSON allows unescaped although they control terminals, break lines or change the text direction. */
const unshowable = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu

/**
 * JSON text that is safe to show on a terminal and means the same: captured text comes from strangers, and `\u009b`
 * written out in a JSON string is the character itself.
 */
export const showableJson = (json: string): string =>
  json.replace(unshowable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The value on one line. Numbers in `JSON.rawJSON` keep their digits. */
export const jsonText = (value: unknown): string => showableJson(JSON.stringify(value))

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
