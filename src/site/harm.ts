import { revisionOf } from '../lib/revision.ts'

/** What takes something away from visitors, or loses data: it needs the consent of whoever publishes (docs/publishing.md). */
export const harmKinds = [
  'domain_offline',
  'page_offline',
  'form_gone',
  'deliveries_lost',
  'tracking_key_replaced',
  'changed_here',
] as const
export type HarmKind = (typeof harmKinds)[number]

export interface Harm {
  kind: HarmKind
  /** What is harmed: `go.acme.example/launch`, `delivery crm`. */
  subject: string
  /** How many of what the kind counts: views, pages, deliveries, events, changes. */
  count: number
  /** What happens, and what to do instead. */
  message: string
}

/** Names what a plan harms of a kind, however much each counts: other harm than that needs consent of its own. */
export type SeenHarm = `${HarmKind}:${string}`
export const seenHarm = (kind: HarmKind, harm: readonly Harm[]): SeenHarm => {
  const subjects = harm.flatMap((found) => (found.kind === kind ? [found.subject] : []))
  return `${kind}:${revisionOf(subjects.sort().join('\n'))}`
}

/** What somebody consents to: all harm of a kind, or exactly what they saw of it. */
export type Consent = ReadonlySet<HarmKind | SeenHarm>

export const noConsent: Consent = new Set()

/** The harm that nobody has consented to. */
export function unaccepted(harm: readonly Harm[], consent: Consent): Harm[] {
  const isAccepted = (kind: HarmKind) => consent.has(kind) || consent.has(seenHarm(kind, harm))
  const open = harmKinds.filter((kind) => !isAccepted(kind))
  return harm.filter(({ kind }) => open.includes(kind))
}
