import { type AST, ParseError, parseTOML } from 'toml-eslint-parser'
import { boundFault, depthMax, tooDeep } from './bounds.ts'
import type { TomlFault } from './fault.ts'
import { leftOpen } from './left-open.ts'
import { unquotedText } from './unquoted.ts'
import { emptyTable, type TomlEntry, type TomlTable, type TomlValue } from './value.ts'

type TomlParsing = { table: TomlTable; fault: null } | { table: null; fault: TomlFault }

/**
 * Reads TOML 1.1 text into a tree with lines. A syntax error, including a repeated key, is reported alone, and so is a
 * document that is too large or too deep.
 */
export function parseToml(text: string): TomlParsing {
  const bound = boundFault(text)
  if (bound !== null) return { table: null, fault: bound }
  try {
    const program = parseTOML(tomlText(text), { tomlVersion })
    return { table: tableOf(program.body[0]), fault: null }
  } catch (error) {
    if (error instanceof TooDeep) return { table: null, fault: { key: null, line: error.line, message: error.message } }
    // A string or number of hundreds of thousands of characters.
    if (error instanceof RangeError) return { table: null, fault: { key: null, line: null, message: tooLongValue } }
    if (!(error instanceof ParseError)) throw error
    return { table: null, fault: { key: null, ...syntaxFault(error, text) } }
  }
}

class TooDeep extends Error {
  constructor(readonly line: number) {
    super(tooDeep)
  }
}

const tooLongValue = 'has a value that is too long to be read'

export const tomlVersion = '1.1'

/** The text without a byte order mark, with all characters in their places. */
export const tomlText = (text: string): string => text.replace(/^\uFEFF/, ' ')

function syntaxFault(error: ParseError, text: string): Pick<TomlFault, 'line' | 'message'> {
  const { line, message } = syntaxWords(error, text)
  return { line, message: `not valid TOML: ${message}` }
}

function syntaxWords(error: ParseError, text: string): Pick<TomlFault, 'line' | 'message'> {
  const line = error.lineNumber
  const written = text.split('\n')[line - 1] ?? ''
  if (error.message.startsWith('Defining a key')) {
    const key = /^[A-Za-z0-9_-]+/.exec(written.slice(error.column))?.[0]
    return { line, message: `${key ?? 'a key'} is defined a second time` }
  }
  return leftOpen(text, line) ?? { line, message: unquotedText(written) ?? error.message }
}

function tableOf(body: AST.TOMLTopLevelTable): TomlTable {
  const root = emptyTable()
  for (const node of body.body) {
    if (node.type === 'TOMLKeyValue') addKeyValue(root, node, 0)
    else addTable(root, node)
  }
  return root
}

function addTable(root: TomlTable, node: AST.TOMLTable): void {
  const table = openTable(root, node.resolvedKey, node.loc.start.line)
  for (const keyValue of node.body) addKeyValue(table, keyValue, 0)
}

/** Walks to the table that a header names, `['forms', 0, 'schema']`, creating missing ones. */
function openTable(root: TomlTable, path: (string | number)[], line: number): TomlTable {
  if (path.length > depthMax) throw new TooDeep(line)
  let table = root
  for (const [i, step] of path.entries()) {
    if (typeof step === 'number') continue
    const index = path[i + 1]
    table = typeof index === 'number' ? itemOf(table, step, index, line) : childOf(table, step, line)
  }
  return table
}

function childOf(table: TomlTable, name: string, line: number): TomlTable {
  const entry = table.entries.get(name) ?? { value: emptyTable(line), line }
  table.entries.set(name, entry)
  return asTable(entry.value)
}

function itemOf(table: TomlTable, name: string, index: number, line: number): TomlTable {
  const entry: TomlEntry = table.entries.get(name) ?? { value: { kind: 'array', items: [] }, line }
  table.entries.set(name, entry)
  if (entry.value.kind !== 'array') throw new Error(`the parser let ${name} be both a list and not`)
  const item = entry.value.items[index] ?? { value: emptyTable(line), line }
  entry.value.items[index] = item
  return asTable(item.value)
}

function asTable(value: TomlValue): TomlTable {
  if (value.kind !== 'table') throw new Error(`the parser let a ${value.kind} be used as a table`)
  return value
}

function addKeyValue(table: TomlTable, node: AST.TOMLKeyValue, depth: number): void {
  const line = node.loc.start.line
  const names = node.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))
  const last = names.pop()
  if (last === undefined) throw new Error('the parser let a key be empty')
  if (names.length + depth > depthMax) throw new TooDeep(line)
  const owner = names.reduce((owner, name) => childOf(owner, name, line), table)
  owner.entries.set(last, { value: tomlValueOf(node.value, depth + names.length + 1), line })
}

function tomlValueOf(node: AST.TOMLContentNode, depth: number): TomlValue {
  if (depth > depthMax) throw new TooDeep(node.loc.start.line)
  if (node.type === 'TOMLValue') return scalarOf(node)
  if (node.type === 'TOMLArray')
    return { kind: 'array', items: node.elements.map((item) => itemEntry(item, depth + 1)) }
  const table = emptyTable(node.loc.start.line)
  for (const keyValue of node.body) addKeyValue(table, keyValue, depth)
  return table
}

const itemEntry = (node: AST.TOMLContentNode, depth: number): TomlEntry => ({
  value: tomlValueOf(node, depth),
  line: node.loc.start.line,
})

function scalarOf(node: AST.TOMLValue): TomlValue {
  switch (node.kind) {
    case 'string':
      return { kind: 'string', value: node.value }
    case 'boolean':
      return { kind: 'boolean', value: node.value }
    case 'integer':
      return { kind: 'integer', value: node.value, text: String(node.bigint) }
    case 'float':
      return { kind: 'float', value: node.value, text: node.number || String(node.value) }
    default:
      return { kind: 'date', text: node.datetime }
  }
}
