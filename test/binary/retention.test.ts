// Retention runs by itself while the box is served (contract section 8).
import { Database } from 'bun:sqlite'
import { beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax, builtExecutable } from '../harness/executable.ts'
import { BinaryBox } from './harness/binary-box.ts'

const testMsMax = 60_000
const soonMs = 10_000
const daysMs = 31 * 86_400_000

beforeAll(async () => {
  await builtExecutable()
}, buildMsMax)

test(
  'a server deletes refused submissions after 30 days, and leaves accepted ones',
  async () => {
    await using box = await BinaryBox.make()
    await box.apply(aSite())
    {
      await using server = await box.serve()
      await server.send(formRequest())
      expect(await server.send(formRequest({ fields: { _hp: 'I am a bot' } }))).toMatchObject({ status: 403 })
    }
    const all = async () => (await box.done(['export', 'acme', 'submissions', '--all'])).split('\n').length - 1
    expect(await all()).toBe(2)
    letPass(box, daysMs)
    await using _server = await box.serve()
    await eventually('the refused submission is deleted', soonMs, async () => (await all()) === 1)
    expect(await box.submissions()).toMatchObject([{ status: 'accepted' }])
  },
  testMsMax,
)

/** What was captured is so much older. */
function letPass({ databaseFile }: BinaryBox, ms: number): void {
  using database = new Database(databaseFile, { readwrite: true, strict: true })
  for (const table of ['ledger', 'submission_fact'])
    database.run(`UPDATE ${table} SET received_at = received_at - ${ms}`)
}
