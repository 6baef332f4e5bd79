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
