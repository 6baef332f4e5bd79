import { nearest } from '../suggestion.ts'
import type { At, Decoded, Decoder, Decodes, Fields } from './decoder.ts'
import type { Place, TomlFault } from './fault.ts'
import { emptyTable, type TomlTable } from './value.ts'

export type TableOf<F extends Fields> = { [K in keyof F]: Decodes<F[K]> }

export interface TableDecoder<F extends Fields> extends Decoder<TableOf<F>> {
  readonly fields: F
}

/** A table with exactly these keys. One that is absent counts as an empty one, so that its defaults hold. */
export function table<F extends Fields>(fields: F): TableDecoder<F> {
  const decoder = { expected: 'a table', secret: false }
  const whole = (value: TomlTable, at: At): Decoded<TableOf<F>> => {
    const partial = decodeFields(fields, value, at)
    return isWhole(fields, partial) ? { value: partial } : null
  }
  return {
    ...decoder,
    fields,
    fromText: null,
    decode: (value, at) => (value.kind === 'table' ? whole(value, at) : at.unexpected(decoder, value)),
    absent: (at) => whole(emptyTable(at.line), at),
  }
}

/** The keys that could be decoded; what could not is reported. */
export function decodeFields<F extends Fields>(fields: F, value: TomlTable, at: At): Partial<TableOf<F>> {
  for (const [name, entry] of value.entries) {
    if (!Object.hasOwn(fields, name)) at.report(unknownKey(at.child(name, entry.line), name, Object.keys(fields)))
  }
  const decoded: [string, unknown][] = []
  for (const [name, field] of Object.entries(fields)) {
    const entry = value.entries.get(name)
    const result =
      entry === undefined
        ? field.absent(at.child(name, value.line))
        : field.decode(entry.value, at.child(name, entry.line))
    if (result !== null) decoded.push([name, result.value])
  }
  return Object.fromEntries(decoded) as Partial<TableOf<F>>
}

export const isWhole = <F extends Fields>(fields: F, partial: Partial<TableOf<F>>): partial is TableOf<F> =>
  Object.keys(fields).every((name) => Object.hasOwn(partial, name))

function unknownKey(place: Place, name: string, known: string[]): TomlFault {
  const meant = nearest(name, known)
  const hint = meant === null ? `known here: ${known.join(', ')}` : `did you mean "${meant}"?`
  const { key, line } = place
  return { key, line, expected: `one of ${known.join(', ')}`, found: null, meant, message: `unknown key; ${hint}` }
}
