import { type PageVersion, type Split, versionOf } from '../account/split.ts'
import type { EntryKind } from '../ledger/entry.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import type { LocalDays } from '../lib/local-day.ts'
import type { Verdicts } from '../verdict/verdicts.ts'
import type { SiteRequest } from './site-request.ts'
import { recordedAgent } from './source.ts'

/** What a choice needs beside the request. */
export interface Choosing {
  verdicts: Verdicts
  days: LocalDays
  clock: Clock
}

/**
 * The version of a split page for this visitor: by the device, or by address and day. Nothing is stored, so whatever follows makes
 * the same choice again. `null`: a declared program, which gets the page itself and takes no part.
 */
export function versionFor(
  asked: SiteRequest,
  { split, kind }: { split: Split; kind: EntryKind },
  { verdicts, days, clock }: Choosing,
): PageVersion | null {
  if (verdicts.isBot({ kind, source: { userAgent: recordedAgent(asked.request) } })) return null
  if (asked.deviceId !== null) return versionOf(split, asked.deviceId)
  return versionOf(split, `${asked.clientAddress} ${days.of(clock.now(), asked.account.settings.timezone)}`)
}

/** Agreement takes as many draws as there are versions on average; the rarest version has one chance in a hundred. */
const drawsMax = 1000

/** A device for a visitor without one, who keeps the version that is shown now. */
export function newDeviceFor(version: PageVersion | null): string {
  let device = newId()
  if (version === null) return device
  const { split, variant } = version
  for (let draws = 1; draws < drawsMax && versionOf(split, device).variant !== variant; draws++) device = newId()
  return device
}

/** The version of the split page that a form or an event was sent from; `null`: it was sent from another page. */
export function versionLeft(asked: SiteRequest, choosing: Choosing): PageVersion | null {
  const split = asked.splits.areNone ? null : splitLeft(asked)
  // Whoever sends something may be a customer's server: only a crawler counts as a program here.
  return split === null ? null : versionFor(asked, { split, kind: 'event' }, choosing)
}

const refererCharactersMax = 2048

function splitLeft({ request, account, splits, ownOrigin, deviceId }: SiteRequest): Split | null {
  const referer = request.headers.get('referer')
  // Some pages and browsers keep their address to themselves. Where one page is split, a known visitor came from there.
  const unnamed = () => (deviceId === null ? null : splits.only())
  if (referer === null) return unnamed()
  const from = referer.length > refererCharactersMax ? null : URL.parse(referer)
  // Another host's page names no more than its origin, and its visitor has another cookie.
  if (from === null || !ownOrigin.endsWith(`//${from.host}`)) return null
  if (from.pathname !== '/') return splits.of(from.pathname.slice(1))
  // Without a page at `/`, the page told its origin alone (Referrer Policy, `origin`).
  const { home } = account.settings
  return home === null ? unnamed() : splits.of(home)
}
