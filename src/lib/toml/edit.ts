import type { AST } from 'toml-eslint-parser'
import { documentOf, type PlacedValue, placedValues } from './placed-values.ts'

// Each function changes one value of a text that `parseToml` reads without a fault. Comments, line ends and every other
// character stay as they are. `null`: the text has no such value to change. Whether the changed text is read without a fault,
// too, is for the caller to see: `key` may be the name of a table.

/** A string more in a list at the top of the document. A list that is not there is made, above the first table. */
export function withListed(text: string, key: string, value: string): string | null {
  const document = documentOf(text)
  const listed = valueAt(document, [key])
  if (listed === null) return withInserted(text, [newKey(text, document, `${key} = [${stringOf(value)}]`)])
  if (listed.type !== 'TOMLArray') return null
  const isThere = listed.elements.some((item) => item.type === 'TOMLValue' && item.value === value)
  return isThere ? text : withInserted(text, itemAfterOthers(text, listed, stringOf(value)))
}

/** A boolean in place of another value. @param path as `placedValues` has it */
export function withBoolean(text: string, path: PlacedValue['path'], value: boolean): string | null {
  const node = valueAt(documentOf(text), path)
  if (node === null) return null
  const [start, end] = node.range
  return `${text.slice(0, start)}${value}${text.slice(end)}`
}

/** A table more in a list of tables, in the way that the document writes them. */
export function withTable(
  text: string,
  key: string,
  entries: Readonly<Record<string, string | string[]>>,
): string | null {
  const lines = Object.entries(entries).map(([name, value]) => `${name} = ${written(value)}`)
  const listed = valueAt(documentOf(text), [key])
  if (listed !== null)
    return listed.type === 'TOMLArray'
      ? withInserted(text, itemAfterOthers(text, listed, `{ ${lines.join(', ')} }`))
      : null
  const lineEnd = lineEndOf(text)
  const begun = text === '' || text.endsWith('\n') ? text : `${text}${lineEnd}`
  return `${begun}${[begun === '' ? [] : '', `[[${key}]]`, ...lines, ''].flat().join(lineEnd)}`
}

const written = (value: string | string[]): string =>
  typeof value === 'string' ? stringOf(value) : `[${value.map(stringOf).join(', ')}]`

/** A basic string (TOML 1.0): JSON's escapes are among its own, but it has no lone surrogates and no bare U+007F. */
const stringOf = (value: string): string => JSON.stringify(value.toWellFormed()).replaceAll('\x7f', '\\u007f')

const valueAt = (document: AST.TOMLTopLevelTable, path: PlacedValue['path']): PlacedValue['node'] | null =>
  placedValues(document).find((placed) => Bun.deepEquals(placed.path, path))?.node ?? null

interface Insertion {
  at: number
  text: string
}

const withInserted = (text: string, insertions: readonly Insertion[]): string =>
  insertions.reduceRight((changed, { at, text }) => `${changed.slice(0, at)}${text}${changed.slice(at)}`, text)

/** On a line of its own, behind the last key that is in no table. */
function newKey(text: string, { body }: AST.TOMLTopLevelTable, line: string): Insertion {
  const last = body.findLast((node) => node.type === 'TOMLKeyValue')
  if (last !== undefined) return { at: lineBreakFrom(text, last.range[1]), text: `${lineEndOf(text)}${line}` }
  return { at: text.startsWith('\uFEFF') ? 1 : 0, text: `${line}${lineEndOf(text)}` }
}

/** A comma, with the white space and the comments before it. */
const upToComma = /(?:\s|#[^\n]*\n)*,/y

/** Behind the last item: on a line of its own if that has one, so that a comment stays with its item. */
function itemAfterOthers(text: string, { elements, range }: AST.TOMLArray, item: string): Insertion[] {
  const last = elements.at(-1)
  if (last === undefined) return [{ at: range[0] + 1, text: item }]
  const [start, end] = last.range
  upToComma.lastIndex = end
  const comma = upToComma.exec(text)
  const lineBreak = lineBreakFrom(text, comma === null ? end : end + comma[0].length)
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  if (before.trim() !== '' || lineBreak >= range[1]) return [{ at: end, text: `, ${item}` }]
  const line = `${lineEndOf(text)}${before}${item}`
  return comma === null
    ? [
        { at: end, text: ',' },
        { at: lineBreak, text: line },
      ]
    : [{ at: lineBreak, text: `${line},` }]
}

const lineEndOf = (text: string): string => /\r?\n/.exec(text)?.[0] ?? '\n'

/** Where the line ends that goes on here. */
function lineBreakFrom(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  if (end === -1) return text.length
  return text[end - 1] === '\r' && end > at ? end - 1 : end
}
