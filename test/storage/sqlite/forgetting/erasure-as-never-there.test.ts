// Unmaking is the same fold (docs/decisions/0046): after an erasure everything that processing has made is what it would have
// made of the other entries alone.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { LedgerEntry } from '../../../../src/ledger/decision.ts'
import { collision } from '../../../processing/a-collision.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'
import { ownersOf } from '../owners.ts'
import { derivedContent } from '../stored-entries.ts'

const runs = 30
const people = ['ada@acme.example', 'bob@acme.example']

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
