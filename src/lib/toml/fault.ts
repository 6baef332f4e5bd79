/** One thing that is wrong with a document. `message` is the whole sentence, less line and key. */
export interface TomlFault {
  /** `null`: the document has no place for it, for instance a missing key at its top. */
  line: number | null
  /** Dotted path, list items by index from 0: `people[1].name`. `null`: the document as a whole. */
  key: string | null
  expected: string | null
  found: string | null
  /** The key that was probably meant. */
  meant: string | null
  message: string
}

/** Where a fault lies. */
export interface Place {
  key: string
  line: number | null
}

export const unexpectedValue = (place: Place, expected: string, found: string): TomlFault => ({
  ...blank(place),
  expected,
  found,
  message: `expected ${expected}, found ${found}`,
})

export const missingKey = (place: Place, expected: string): TomlFault => ({
  ...blank(place),
  expected,
  message: `missing; expected ${expected}`,
})

/** A fault worded by the check itself. */
export const statedFault = (place: Place, message: string): TomlFault => ({ ...blank(place), message })

export const syntaxFault = (line: number | null, message: string): TomlFault => ({
  ...blank({ key: '', line }),
  key: null,
  message,
})

const blank = (place: Place) => ({ key: place.key, line: place.line, expected: null, found: null, meant: null })
