import { type AST, parseTOML } from 'toml-eslint-parser'
import { tomlText, tomlVersion } from './parse.ts'

/** A string of a document, with its place in the text. */
export interface StringRange {
  /** `['deliveries', 0, 'secret']`. */
  path: readonly (string | number)[]
  value: string
  /** Of the string with its quotes: the first character, and the one behind the last. In UTF-16 units. */
  start: number
  end: number
}

/** Every string value of a document, in the order of the text. @param text that `parseToml` reads without a fault */
export function stringRanges(text: string): StringRange[] {
  const [root] = parseTOML(tomlText(text), { tomlVersion }).body
  return root.body.flatMap((node) =>
    node.type === 'TOMLKeyValue'
      ? ofKeyValue(node, [])
      : node.body.flatMap((keyValue) => ofKeyValue(keyValue, node.resolvedKey)),
  )
}

type Path = StringRange['path']

const ofKeyValue = ({ key, value }: AST.TOMLKeyValue, above: Path): StringRange[] =>
  ofValue(value, [...above, ...key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value))])

function ofValue(node: AST.TOMLContentNode, path: Path): StringRange[] {
  if (node.type === 'TOMLArray') return node.elements.flatMap((item, i) => ofValue(item, [...path, i]))
  if (node.type === 'TOMLInlineTable') return node.body.flatMap((keyValue) => ofKeyValue(keyValue, path))
  if (node.kind !== 'string') return []
  const [start, end] = node.range
  return [{ path, value: node.value, start, end }]
}
