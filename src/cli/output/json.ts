import { jsonText, showableJson } from '../../report/json-text.ts'
import type { ResultStream } from './streams.ts'

/** A result as JSON for `--json`: indented, ended by a line feed, and safe to show on a terminal. */
export const toJson = (value: unknown): string => `${showableJson(JSON.stringify(value, null, 2))}\n`

/** An array for `--json`, written element by element: it may be longer than memory. */
export async function writeJsonArray(out: Pick<ResultStream, 'write'>, elements: AsyncIterable<object>): Promise<void> {
  await out.write('[')
  let separator = '\n'
  for await (const element of elements) {
    await out.write(`${separator}  ${jsonText(element)}`)
    separator = ',\n'
  }
  await out.write(separator === '\n' ? ']\n' : '\n]\n')
}
