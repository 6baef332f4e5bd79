import { type AST, ParseError, parseTOML } from 'toml-eslint-parser'
import { count } from '../quantities.ts'
import { emptyTable, type TomlEntry, type TomlFault, type TomlTable, type TomlValue } from './value.ts'

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

/** What is missing, with its line, where the parser stopped because something before has no end. */
type LeftOpen = Pick<TomlFault, 'line' | 'message'>

const key = /^\s*(?:[A-Za-z0-9_.-]+|"[^"]*")\s*=/
const header = /^\s*\[\[?[A-Za-z0-9_.-]+\]\]?\s*(?:#.*)?$/
const keyWithoutValue = /^\s*([A-Za-z0-9_.-]+|"[^"]*")\s*=\s*(?:#.*)?$/

/** @param line where the parser stopped, from 1 @returns `null`: everything before that line is closed, and every key has a value */
function leftOpen(text: string, line: number): LeftOpen | null {
  const lines = text.split('\n')
  const stopped = lines[line - 1] ?? ''
  const isAtEnd = lines.slice(line).every((rest) => rest.trim() === '')
  const bracket = lastOpen(lines.slice(0, isAtEnd ? line : line - 1).join('\n'))
  if (bracket !== null) {
    // Keys stand in { } too.
    const isNextBegun = header.test(stopped) || (bracket.character === '[' && key.test(stopped))
    const closing = bracket.character === '[' ? ']' : '}'
    const message = `the ${bracket.character} of this line is never closed: ${closing} is missing`
    return isAtEnd || isNextBegun ? { line: bracket.line, message } : null
  }
  for (const at of [line, line - 1]) {
    const [, name] = keyWithoutValue.exec(lines[at - 1] ?? '') ?? []
    if (name !== undefined) return { line: at, message: `${name} has no value: something must stand behind the =` }
  }
  return null
}

/** The innermost bracket that is still open at the end; `null`: none. */
function lastOpen(text: string): { character: '[' | '{'; line: number } | null {
  const open: { character: '[' | '{'; line: number }[] = []
  let line = 1
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\n') line++
    else if (character === '#') at = endOr(text.indexOf('\n', at), text) - 1
    else if (character === '"' || character === "'") {
      const end = stringEnd(text, at)
      line += text.slice(at, end).split('\n').length - 1
      at = end - 1
    } else if (character === '[' || character === '{') open.push({ character, line })
    else if (character === ']' || character === '}') open.pop()
  }
  return open.at(-1) ?? null
}

/** A key and what stands behind its `=`. */
const assignment = /^([A-Za-z0-9_.-]+|"[^"]*")\s*=(.*)$/
/** Begins with none of: a quote, a list, a table, a comment. */
const bareValue = /^[^\s"'[{#]/
const bareItem = /^\[\s*(?!true\b|false\b|inf\b|nan\b)[\p{L}*]/u

/**
 * Advice for an unparsable line whose value looks like text without quotation marks; `null`: it does not. The value may
 * be a secret and is not repeated.
 */
function unquotedText(line: string): string | null {
  const [, key, written = ''] = assignment.exec(line.trimStart()) ?? []
  if (key === undefined) return null
  const value = written.trimStart()
  if (bareItem.test(value)) return `text needs quotation marks, also in a list: ${key} = ["…", "…"]`
  return bareValue.test(value) ? `text needs quotation marks: ${key} = "…"` : null
}

/** More than any document needs; the parser takes about a second for so many. */
const charactersMax = 1_048_576
const valuesMax = 50_000
/** Lists and tables within each other. The parser calls itself for each. */
const depthMax = 64

/**
 * What makes a document too large or too deep to be parsed; `null`: nothing. Looks at each character once. Where a text is
 * not TOML, it may end early: so does the parser.
 */
function boundFault(text: string): TomlFault | null {
  if (text.length > charactersMax) return { line: null, key: null, message: tooLong }
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '#') at = endOr(text.indexOf('\n', at), text)
    else if (character === '"' || character === "'") at = stringEnd(text, at) - 1
    else if (character === ']' || character === '}') depth--
    else if (character === '[' || character === '{') {
      depth++
      values++
    } else if (character === '=' || character === ',') values++
    if (depth > depthMax) return { line: lineAt(text, at), key: null, message: tooDeep }
    if (values > valuesMax) return { line: lineAt(text, at), key: null, message: tooMany }
  }
  return null
}

const tooLong = `has more than ${count(charactersMax)} characters`
const tooMany = `has more than ${count(valuesMax)} keys, tables and list items up to this line`
const tooDeep = `lists and tables go deeper than ${depthMax} levels`

/** Behind the string that begins here. */
function stringEnd(text: string, from: number): number {
  const quote = text.charAt(from)
  const long = quote.repeat(3)
  if (text.startsWith(long, from)) return longStringEnd(text, from + 3, long)
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === quote) return at + 1
    if (text[at] === '\n') break
    if (text[at] === '\\' && quote === '"') at++
  }
  return text.length
}

function longStringEnd(text: string, from: number, long: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\' && long === '"""') at++
    else if (text.startsWith(long, at)) {
      let end = at + long.length
      // Its last characters may be quotes too.
      while (text[end] === long[0]) end++
      return end
    }
  }
  return text.length
}

const endOr = (at: number, text: string): number => (at === -1 ? text.length : at)

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length
