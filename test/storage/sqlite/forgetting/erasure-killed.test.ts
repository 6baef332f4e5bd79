// An erasure has no crash handling of its own (docs/decisions/0046): killed anywhere, it is finished by processing and the next run.
import { expect, test } from 'bun:test'
import { systemClock } from '../../../../src/lib/clock.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'
import { derivedContent, mixedEntry } from '../stored-entries.ts'
import { eraseUntil } from './erase-until.ts'

const kills = 20
const entryCount = 4000
const erased = 'person-5@acme.example'

const entries = Array.from({ length: entryCount }, (_, number) => mixedEntry('account-a', number))

/** All that was made, without the cursor, which counts the entries about the erasure. */
function madeOf(box: AForgettingBox) {
  const { processing: _cursor, ...made } = derivedContent(box.connection.raw)
  return { ids: box.ids(), made }
}

test(`killed before any of ${kills} of its transactions, it leaves the box that an undisturbed one leaves`, async () => {
  await using undisturbed = new AForgettingBox()
  undisturbed.capture(...entries)
  const captured = undisturbed.content()
  const transactions = await eraseUntil(undisturbed, erased, null)
  const expected = madeOf(undisturbed)
  expect(transactions).toBeGreaterThan(kills)
  for (let kill = 0; kill < kills; kill++) {
    await using box = new AForgettingBox(systemClock, captured)
    await eraseUntil(box, erased, Math.floor((kill * transactions) / kills))
    // Whoever processes next, before anybody erases again.
    box.capture()
    expect(box.staleMarks()).toBe(0)
    expect(await box.erase(erased)).toMatchObject({ verified: true })
    expect(madeOf(box)).toEqual(expected)
  }
})
