/** Longer words are compared by their beginning; nobody mistypes more by accident. */
const comparedCharactersMax = 64

/** The candidate that was probably meant: the nearest, at most a third of its letters away. `null`: none. */
export const nearest = (word: string, candidates: Iterable<string>): string | null =>
  nearestOf(word, Array.from(candidates, candidateOf))

/** A word, and how it is compared. */
interface Candidate {
  text: string
  compared: string
}

const candidateOf = (text: string): Candidate => ({ text, compared: plain(text) })

function nearestOf(word: string, candidates: readonly Candidate[]): string | null {
  let best: string | null = null
  let bestDistance = Number.POSITIVE_INFINITY
  const plainWord = plain(word)
  for (const { text, compared } of candidates) {
    const allowed = Math.max(1, Math.floor(Math.max(word.length, text.length) / 3))
    if (Math.abs(word.length - text.length) > allowed) continue
    const wanted = Math.min(allowed, bestDistance - 1)
    const distance = editDistance(plainWord, compared, wanted)
    if (distance > wanted) continue
    best = text
    bestDistance = distance
    if (distance === 0) break
  }
  return best
}

/** Suggestions from one list for a document's many slips. Whoever mistypes everything gets none for the rest. */
export class Suggestions {
  private readonly texts: readonly string[]
  private candidates: readonly Candidate[] | null = null
  private readonly known = new Map<string, string | null>()

  constructor(candidates: readonly string[]) {
    this.texts = candidates.slice(0, candidatesMax)
  }

  /** The nearest candidate; of words beyond the limit, `null`. */
  nearestTo(word: string): string | null {
    const known = this.known.get(word)
    if (known !== undefined || this.known.size === wordsMax) return known ?? null
    this.candidates ??= this.texts.map(candidateOf)
    const found = nearestOf(word, this.candidates)
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

/**
 * Insertions, deletions, replacements and swaps of neighbours (optimal string alignment) between two words.
 *
 * @param max how far is of interest; of words that are further apart, some number above. Fewer steps lead there.
 */
export function editDistance(a: string, b: string, max = Number.POSITIVE_INFINITY): number {
  const far = a.length + b.length + 1
  const newRow = () => new Uint32Array(b.length + 1).fill(far)
  let [beforeLast, last, row] = [newRow(), newRow().map((_, j) => j), newRow()]
  for (let i = 1; i <= a.length; i++) {
    // What lies further off the diagonal is further apart.
    const [from, to] = [Math.max(1, i - max), Math.min(b.length, i + max)]
    row[from - 1] = from === 1 ? i : far
    let least = at(row, from - 1)
    for (let j = from; j <= to; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swaps = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = swaps ? at(beforeLast, j - 2) + 1 : far
      const distance = Math.min(replaced, swapped, at(last, j) + 1, at(row, j - 1) + 1)
      row[j] = distance
      least = Math.min(least, distance)
    }
    if (to < b.length) row[to + 1] = far
    if (least > max + 1) return far
    ;[beforeLast, last, row] = [last, row, beforeLast]
  }
  return at(last, b.length)
}

const at = (row: Uint32Array, index: number): number => row[index] ?? Number.POSITIVE_INFINITY
