// Everything follows from the ledger (docs/decisions/0047): fed to an empty box, it gives the same exports and reports, byte
// for byte.
import { expect, test } from 'bun:test'
import { kindsIn, processAll, replayLedger } from '../harness/replayed-ledger.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { emailOf, everything, livelyBox } from './harness/lively-box.ts'

/** An empty box, fed with the other's ledger. */
async function replayed(box: BinaryBox): Promise<BinaryBox> {
  const other = await BinaryBox.make()
  replayLedger(box.databaseFile, other.databaseFile)
  return other
}

test('the ledger of a lively box, fed to an empty one, gives the same exports and reports byte for byte', async () => {
  await using box = await livelyBox()
  expect(Object.keys(kindsIn(box.databaseFile))).toEqual(['1', '2', '3', '4', '5', '6'])
  const before = await everything(box)
  expect(before['export acme persons']).not.toContain(emailOf('finn'))

  await using byCommand = await replayed(box)
  expect(await everything(byCommand)).toEqual(before)

  await using inSmallSteps = await replayed(box)
  processAll(inSmallSteps.databaseFile, 3)
  expect(await everything(inSmallSteps)).toEqual(before)
})
