// An erasure has no crash handling of its own (docs/decisions/0046): killed anywhere, it is finished by processing and the next run.
import { SQLiteError } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { AForgettingBox } from '../a-forgetting-box.ts'
import { derivedContent, mixedEntry } from '../stored-entries.ts'

const kills = 20
const entryCount = 4000
const erased = 'person-5@acme.example'
const testMsMax = 900_000

/** What a disk that is gone says: nobody goes on behind it, as behind a kill. */
const death: Error = Object.assign(Object.create(SQLiteError.prototype), {
  name: 'SQLiteError',
  code: 'SQLITE_IOERR',
})

/** Transactions of the erasure until it dies; `null`: it does not. Answers how many there were. */
async function eraseUntil(box: AForgettingBox, deathAt: number | null): Promise<number> {
  const { db } = box.connection
  const transaction = db.transaction.bind(db)
  let begun = 0
  const dying = spyOn(db, 'transaction').mockImplementation((change, config) => {
    if (begun === deathAt) throw death
    begun++
    return transaction(change, config)
  })
  try {
    await box.erase(erased)
  } catch (error) {
    if (error !== death) throw error
  } finally {
    dying.mockRestore()
  }
  return begun
}

const entries = Array.from({ length: entryCount }, (_, number) => mixedEntry('account-a', number))

/** All that was made, without the cursor, which counts the entries about the erasure. */
function madeOf(box: AForgettingBox) {
  const { processing: _cursor, ...made } = derivedContent(box.connection.raw)
  return { ids: box.ids(), made }
}

test(
  `killed before any of ${kills} of its transactions, it leaves the box that an undisturbed one leaves`,
  async () => {
    await using undisturbed = new AForgettingBox()
    undisturbed.capture(...entries)
    const transactions = await eraseUntil(undisturbed, null)
    const expected = madeOf(undisturbed)
    expect(transactions).toBeGreaterThan(kills)
    for (let kill = 0; kill < kills; kill++) {
      await using box = new AForgettingBox()
      box.capture(...entries)
      await eraseUntil(box, Math.floor((kill * transactions) / kills))
      // Whoever processes next, before anybody erases again.
      box.capture()
      expect(box.count('stale_device') + box.count('stale_repeat') + box.count('stale_burst')).toBe(0)
      expect(await box.erase(erased)).toMatchObject({ verified: true })
      expect(madeOf(box)).toEqual(expected)
    }
  },
  testMsMax,
)
