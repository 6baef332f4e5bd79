import { jsonText, showableJson } from '../../report/json-text.ts'
import type { CommandResult, ExitStatus } from '../command.ts'
import type { World } from '../session.ts'
import type { ResultStream } from './streams.ts'
import { OutputClosed } from './streams.ts'
import { type Layout, styleFor } from './style.ts'
import { tableText } from './table.ts'
import { printable } from './text.ts'

export async function printResult(
  { json, text, notes = [], exitStatus = 0 }: CommandResult,
  isJson: boolean,
  { out, err, env }: World,
): Promise<ExitStatus> {
  const layout = { style: styleFor(out, env), columns: out.columns }
  const printed = isJson ? (json === undefined ? '' : toJson(json)) : textOf(text, layout)
  if (printed !== '') await out.write(printed).catch(unlessClosed)
  if (notes.length > 0) err.write(printedLines(notes))
  return exitStatus
}

/** A reader that has read enough is no failure: the notes and the exit status are as for any other. */
function unlessClosed(error: unknown): void {
  if (!(error instanceof OutputClosed)) throw error
}

function textOf(text: CommandResult['text'], layout: Layout): string {
  if (typeof text === 'function') return text(layout)
  if (typeof text === 'string') return printedLines([text])
  return 'rows' in text ? tableText(text, layout.style, layout.columns) : printedLines(text)
}

/** Each sentence on a line of its own. Control characters are escaped. */
export const printedLines = (sentences: readonly string[]): string =>
  sentences.map((sentence) => `${printable(sentence)}\n`).join('')

/** A result as JSON for `--json`: indented, ended by a line feed, and safe to show on a terminal. */
const toJson = (value: unknown): string => `${showableJson(JSON.stringify(value, null, 2))}\n`

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
