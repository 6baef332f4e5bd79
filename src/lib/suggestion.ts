/** Longer words are compared by their beginning; nobody mistypes more by accident. */
const comparedCharactersMax = 64

/** The candidate that was probably meant: the nearest, at most a third of its letters away. `null`: none. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  let best: string | null = null
  let bestDistance = Number.POSITIVE_INFINITY
  const plainWord = plain(word)
  for (const candidate of candidates) {
    const allowed = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3))
    if (Math.abs(word.length - candidate.length) > allowed) continue
    const distance = editDistance(plainWord, plain(candidate))
    if (distance > allowed || distance >= bestDistance) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

/** Suggestions from one list for a document's many slips. Whoever mistypes everything gets none for the rest. */
export class Suggestions {
  private readonly candidates: readonly string[]
  private readonly known = new Map<string, string | null>()

  constructor(candidates: readonly string[]) {
    this.candidates = candidates.slice(0, candidatesMax)
  }

  /** The nearest candidate; of words beyond the limit, `null`. */
  nearestTo(word: string): string | null {
    const known = this.known.get(word)
    if (known !== undefined || this.known.size === wordsMax) return known ?? null
    const found = nearest(word, this.candidates)
    this.known.set(word, found)
    return found
  }
}

/** Different words that are looked up; each takes milliseconds. */
const wordsMax = 200
const candidatesMax = 1000

/** `formPerIP` and `form-per-ip` are slips for `form_per_ip`, not other words. */
const plain = (word: string): string =>
  word
    .slice(0, comparedCharactersMax)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment) between two words. */
export function editDistance(a: string, b: string): number {
  const newRow = () => new Uint32Array(b.length + 1)
  let [beforeLast, last, row] = [newRow(), newRow().map((_, j) => j), newRow()]
  for (let i = 1; i <= a.length; i++) {
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swaps = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = swaps ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY
      row[j] = Math.min(replaced, swapped, at(last, j) + 1, at(row, j - 1) + 1)
    }
    ;[beforeLast, last, row] = [last, row, beforeLast]
  }
  return at(last, b.length)
}

const at = (row: Uint32Array, index: number): number => row[index] ?? Number.POSITIVE_INFINITY
