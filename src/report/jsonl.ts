import { inChunks } from './chunks.ts'
import { jsonText } from './json-text.ts'

/** One JSON object a line (docs/exports.md), in chunks of bounded size. */
export const jsonLines = (records: AsyncIterable<object>): AsyncIterable<string> => inChunks(lines(records))

async function* lines(records: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const record of records) yield `${jsonText(record)}\n`
}
