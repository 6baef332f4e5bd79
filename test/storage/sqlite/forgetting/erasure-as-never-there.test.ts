// Unmaking is the same fold (docs/decisions/0046): after an erasure everything that processing has made is what it would have
// made of the other entries alone.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isDecision, type LedgerEntry } from '../../../../src/ledger/decision.ts'
import type { Entry } from '../../../../src/ledger/entry.ts'
import { collision } from '../../../processing/a-collision.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'
import { derivedContent } from '../stored-entries.ts'

const runs = 30
const people = ['ada@acme.example', 'bob@acme.example']

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
function ownersOf(all: readonly LedgerEntry[]): (entry: LedgerEntry) => string | null {
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

/** Numbers of rows differ, since others stood between them; whose a device was is nobody's now where it was the person's. */
function madeOf(box: AForgettingBox): Record<string, string[]> {
  const ids = new Map(
    box
      .rows<{ sequence: number; id: string }>('SELECT sequence, id FROM ledger')
      .map(({ sequence, id }) => [sequence, id]),
  )
  const { processing: _cursor, device_tie: _whose, ...made } = derivedContent(box.connection.raw)
  return Object.fromEntries(
    Object.entries(made).map(([table, rows]) => [
      table,
      rows
        .map((text) => JSON.parse(text) as Record<string, unknown>)
        .filter((row) => !(table === 'day_figure' && row.count === 0))
        .map((row) => JSON.stringify('sequence' in row ? { ...row, sequence: ids.get(row.sequence as number) } : row))
        .sort(),
    ]),
  )
}

test('all that is left is what the other entries make, whatever order they were committed in', async () => {
  await fc.assert(
    fc.asyncProperty(collision, fc.constantFrom(...people), async (entries, erased) => {
      await using box = new AForgettingBox()
      await using other = new AForgettingBox()
      const ownerOf = ownersOf(entries)
      const isErased = (entry: LedgerEntry) => entry.accountId === 'account-a' && ownerOf(entry) === erased
      const left = entries.filter((entry) => !isErased(entry))
      box.capture(...entries)
      await box.erase(erased)
      other.capture(...left)
      expect(box.ids()).toEqual(left.map(({ id }) => id))
      expect(madeOf(box)).toEqual(madeOf(other))
    }),
    { numRuns: runs, endOnFailure: true },
  )
})
