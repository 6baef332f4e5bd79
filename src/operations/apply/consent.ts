import { UnfitInput } from '../../lib/operator-error.ts'
import { type Consent, type Harm, type HarmKind, harmKinds, type SeenHarm, seenHarm } from '../../site/harm.ts'

/** Consent to harm as it is typed: kinds with commas, or `all`; as it is sent, also what was seen of a kind. @throws UnfitInput */
export function consentOf(typed: string): Consent {
  if (typed === 'all') return new Set(harmKinds)
  const words = typed === '' ? [] : typed.split(',')
  if (words.every(isConsent)) return new Set(words)
  throw new UnfitInput(`accept: expected "all", or some of ${harmKinds.join(', ')} with commas between them.`)
}

/** What is sent to consent to exactly the harm that was shown of a kind. */
export const consentTo = (kind: HarmKind, shown: readonly Harm[]): string => seenHarm(kind, shown)

const isConsent = (word: string): word is HarmKind | SeenHarm => {
  const [kind, revision, ...more] = word.split(':')
  const isRevision = revision === undefined || /^[0-9a-f]{32}$/.test(revision)
  return more.length === 0 && isRevision && harmKinds.some((known) => known === kind)
}
