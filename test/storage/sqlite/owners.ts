import { isDecision, type LedgerEntry } from '../../../src/ledger/decision.ts'
import type { Entry } from '../../../src/ledger/entry.ts'

const receiptOf = ({ receivedAt, id }: Entry): string => `${receivedAt} ${id}`
const nameOf = ({ accountId, id }: LedgerEntry): string => `${accountId} ${id}`

/** Whom an entry ties its device to; `null`: nobody. */
function tiedTo(entry: Entry, released: ReadonlySet<string>): string | null {
  if (entry.test || entry.deviceId === null) return null
  if (entry.kind === 'submission')
    return entry.status === 'accepted' || released.has(nameOf(entry)) ? entry.email : null
  if (entry.kind !== 'event' || entry.event !== '$identify') return null
  return typeof entry.traits?.email === 'string' ? entry.traits.email : null
}

/**
 * Whose each entry is, by docs/identity.md and docs/privacy.md read word for word; `null`: nobody's. A release is of its
 * submission.
 */
export function ownersOf(all: readonly LedgerEntry[]): (entry: LedgerEntry) => string | null {
  const entries = all.filter((entry) => !isDecision(entry))
  const released = new Set(all.filter(({ kind }) => kind === 'release').map(nameOf))
  const byName = new Map(entries.map((entry) => [nameOf(entry), entry]))
  const ties = entries
    .filter((entry) => tiedTo(entry, released) !== null)
    .sort((one, other) => (receiptOf(one) < receiptOf(other) ? -1 : 1))
  const ownerOf = (entry: Entry): string | null => {
    if (entry.kind === 'submission' && entry.email !== null) return entry.email
    if (entry.test) return entry.kind === 'event' ? ((entry.traits?.email as string | undefined) ?? null) : null
    const own = ties.filter((tie) => tie.accountId === entry.accountId && tie.deviceId === entry.deviceId)
    const tie = own.findLast((tie) => receiptOf(tie) <= receiptOf(entry)) ?? own[0]
    return tie === undefined ? null : tiedTo(tie, released)
  }
  return (entry) => {
    const owned = byName.get(nameOf(entry))
    return owned === undefined ? null : ownerOf(owned)
  }
}
