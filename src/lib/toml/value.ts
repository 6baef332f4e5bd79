/** A TOML document as a tree that remembers the line of everything in it. Maps, so that `__proto__` is a key like any other. */
export interface TomlTable {
  kind: 'table'
  entries: Map<string, TomlEntry>
  /** Line of the header or opening brace; `null`: the document itself, or a value that came from no document. */
  line: number | null
}

export interface TomlEntry {
  value: TomlValue
  /** Line of the key. */
  line: number | null
}

interface TomlArray {
  kind: 'array'
  items: TomlEntry[]
}

type TomlScalar =
  | { kind: 'string'; value: string }
  /** `value` is exact only within the safe integers. */
  | { kind: 'integer'; value: number; text: string }
  | { kind: 'float'; value: number; text: string }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'date'; text: string }

export type TomlValue = TomlScalar | TomlArray | TomlTable

export const emptyTable = (line: number | null = null): TomlTable => ({ kind: 'table', entries: new Map(), line })

/** Describes a value for a fault. A secret is named by its kind alone. */
export function describeValue(value: TomlValue, secret: boolean): string {
  const noun = nouns[value.kind]
  if (secret || value.kind === 'array' || value.kind === 'table') return noun
  if (value.kind === 'string') return JSON.stringify(shortened(value.value))
  if (value.kind === 'boolean') return String(value.value)
  return `${shortened(value.text)} (${noun})`
}

const shownCharactersMax = 80

const nouns: Record<TomlValue['kind'], string> = {
  string: 'a string',
  integer: 'an integer',
  float: 'a float',
  boolean: 'a boolean',
  date: 'a date',
  array: 'a list',
  table: 'a table',
}

function shortened(text: string): string {
  const characters = Array.from(text)
  return characters.length <= shownCharactersMax ? text : characters.slice(0, shownCharactersMax).join('') + '…'
}

/** One thing that is wrong with a document. `message` is the whole sentence, less line and key. */
export interface TomlFault {
  /** `null`: the document has no place for it, for instance a missing key at its top. */
  line: number | null
  /** Dotted path, list items by index from 0: `people[1].name`. `null`: the document as a whole. */
  key: string | null
  message: string
}

/** Where a fault lies. */
export interface Place {
  key: string
  line: number | null
}

/** A fault at a place, worded by the check that found it. */
export const statedFault = ({ key, line }: Place, message: string): TomlFault => ({ key, line, message })
