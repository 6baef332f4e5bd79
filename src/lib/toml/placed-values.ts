import { type AST, parseTOML } from 'toml-eslint-parser'
import { tomlText, tomlVersion } from './parse.ts'

/** A value of a document, with its place in the text. */
export interface PlacedValue {
  /** `['deliveries', 0, 'secret']`. */
  path: readonly (string | number)[]
  /** Its range is in UTF-16 units, from its first character to the one behind its last. */
  node: AST.TOMLContentNode
}

export interface StringRange extends Pick<PlacedValue, 'path'> {
  value: string
  /** Of the string with its quotes: the first character, and the one behind the last. In UTF-16 units. */
  start: number
  end: number
}

/** The document as the parser has it. @param text that `parseToml` reads without a fault */
export const documentOf = (text: string): AST.TOMLTopLevelTable => parseTOML(tomlText(text), { tomlVersion }).body[0]

/** Every value of a document that stands behind a key or in a list, in the order of the text. */
export const placedValues = ({ body }: AST.TOMLTopLevelTable): PlacedValue[] =>
  body.flatMap((node) =>
    node.type === 'TOMLKeyValue'
      ? ofKeyValue(node, [])
      : node.body.flatMap((keyValue) => ofKeyValue(keyValue, node.resolvedKey)),
  )

/** Every string value of a document, in the order of the text. @param text that `parseToml` reads without a fault */
export const stringRanges = (text: string): StringRange[] =>
  placedValues(documentOf(text)).flatMap(({ path, node }) => {
    if (node.type !== 'TOMLValue' || node.kind !== 'string') return []
    const [start, end] = node.range
    return [{ path, value: node.value, start, end }]
  })

type Path = PlacedValue['path']

const ofKeyValue = ({ key, value }: AST.TOMLKeyValue, above: Path): PlacedValue[] =>
  ofValue(value, [...above, ...key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value))])

function ofValue(node: AST.TOMLContentNode, path: Path): PlacedValue[] {
  if (node.type === 'TOMLArray')
    return [{ path, node }, ...node.elements.flatMap((item, i) => ofValue(item, [...path, i]))]
  if (node.type === 'TOMLInlineTable')
    return [{ path, node }, ...node.body.flatMap((keyValue) => ofKeyValue(keyValue, path))]
  return [{ path, node }]
}
