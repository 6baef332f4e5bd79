import { type Place, statedFault, type TomlFault, unexpectedValue } from './fault.ts'
import { describeValue, type TomlValue } from './value.ts'

/**
 * Describes what a key may hold, and turns it into a typed value.
 *
 * A decoder that gives `null` has reported why; one that gives a value may still have reported faults inside it, so
 * that checks across keys can go on. Whether a document is right is told by its faults alone.
 */
export interface Decoder<T> {
  /** A noun phrase: what was expected, when something else is found. */
  readonly expected: string
  /** The value is never shown. */
  readonly secret: boolean
  /** The keys of the table described, if it is one. */
  readonly fields: Fields | null
  decode(value: TomlValue, at: At): Decoded<T>
  /** What stands for a key that is not there. */
  absent(at: At): Decoded<T>
  /** How the value is written where there is only text, such as an environment variable; `null`: not at all. */
  readonly fromText: ((text: string) => TomlValue) | null
}

export type Fields = Record<string, Decoder<unknown>>

export type Decoded<T> = { value: T } | null

export type Decodes<D> = D extends Decoder<infer T> ? T : never

/** A place in the document while it is decoded, with the list that its faults go to. */
export class At implements Place {
  constructor(
    readonly key: string,
    readonly line: number | null,
    private readonly faults: TomlFault[],
  ) {}

  report(fault: TomlFault): null {
    this.faults.push(fault)
    return null
  }

  /** The value is not what the decoder takes. */
  unexpected(decoder: Pick<Decoder<unknown>, 'expected' | 'secret'>, value: TomlValue): null {
    return this.report(unexpectedValue(this, decoder.expected, describeValue(value, decoder.secret)))
  }

  state(message: string): null {
    return this.report(statedFault(this, message))
  }

  child(name: string, line: number | null): At {
    return new At(childKey(this.key, name), line, this.faults)
  }

  item(index: number, line: number | null): At {
    return new At(`${this.key}[${index}]`, line, this.faults)
  }
}

function childKey(parent: string, name: string): string {
  const shown = /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name.slice(0, shownKeyCharactersMax))
  return parent === '' ? shown : `${parent}.${shown}`
}

const shownKeyCharactersMax = 80
