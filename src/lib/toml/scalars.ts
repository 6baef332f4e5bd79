import type { Decoder } from './decoder.ts'
import { missingKey } from './fault.ts'
import type { TomlValue } from './value.ts'

export interface StringOptions {
  /** A noun phrase for messages. */
  expected?: string
  /** Never shown in a message. */
  secret?: boolean
  pattern?: RegExp
  /** In Unicode code points. */
  charactersMax?: number
}

const stringCharactersMax = 1000

/** Text of one line: control characters are a fault wherever nothing else is said. */
export function string(options: StringOptions = {}): Decoder<string> {
  const { pattern, charactersMax = stringCharactersMax } = options
  const decoder = scalar<string>(options.expected ?? 'a string', options.secret ?? false, asString)
  return {
    ...decoder,
    decode(value, at) {
      if (value.kind !== 'string') return at.unexpected(decoder, value)
      if (hasControlCharacter(value.value)) return at.state(`expected ${decoder.expected}, found a control character`)
      if (Array.from(value.value).length > charactersMax) return at.state(`longer than ${charactersMax} characters`)
      if (pattern !== undefined && !pattern.test(value.value)) return at.unexpected(decoder, value)
      return { value: value.value }
    },
  }
}

export function integer(options: { min: number; max: number }): Decoder<number> {
  const { min, max } = options
  const decoder = scalar<number>(`an integer from ${min} to ${max}`, false, integerOfText)
  return {
    ...decoder,
    decode(value, at) {
      const fits = value.kind === 'integer' && value.value >= min && value.value <= max
      return fits ? { value: value.value } : at.unexpected(decoder, value)
    },
  }
}

export function boolean(): Decoder<boolean> {
  const decoder = scalar<boolean>('true or false', false, booleanOfText)
  return {
    ...decoder,
    decode: (value, at) => (value.kind === 'boolean' ? { value: value.value } : at.unexpected(decoder, value)),
  }
}

export function oneOf<const C extends string>(choices: readonly C[]): Decoder<C> {
  const decoder = scalar<C>(`one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`, false, asString)
  return {
    ...decoder,
    decode(value, at) {
      const choice = choices.find((choice) => value.kind === 'string' && value.value === choice)
      return choice === undefined ? at.unexpected(decoder, value) : { value: choice }
    },
  }
}

/** What every decoder of one value shares; it lacks `decode`. */
function scalar<T>(
  expected: string,
  secret: boolean,
  fromText: (text: string) => TomlValue,
): Omit<Decoder<T>, 'decode'> {
  return { expected, secret, fields: null, fromText, absent: (at) => at.report(missingKey(at, expected)) }
}

const asString = (text: string): TomlValue => ({ kind: 'string', value: text })

/** Text that is no integer stays a string, so that the message shows it. */
function integerOfText(text: string): TomlValue {
  const trimmed = text.trim()
  return /^[+-]?\d+$/.test(trimmed) ? { kind: 'integer', value: Number(trimmed), text: trimmed } : asString(text)
}

function booleanOfText(text: string): TomlValue {
  const trimmed = text.trim()
  return trimmed === 'true' || trimmed === 'false' ? { kind: 'boolean', value: trimmed === 'true' } : asString(text)
}

const hasControlCharacter = (text: string): boolean => /\p{Cc}/u.test(text)
