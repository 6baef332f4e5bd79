// Retention runs by itself while the box is served (docs/privacy.md, "How long").
import { expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { ageRecords } from './harness/passing-time.ts'

const daysMs = 31 * 86_400_000

test('a server deletes refused submissions after 30 days, and leaves accepted ones', async () => {
  await using box = await BinaryBox.make()
  await box.apply(aSite())
  {
    await using server = await box.serve()
    await server.send(formRequest())
    expect(await server.send(formRequest({ fields: { _hp: 'I am a bot' } }))).toMatchObject({ status: 403 })
  }
  const all = async () => (await box.done(['export', 'acme', 'submissions', '--all'])).split('\n').length - 1
  expect(await all()).toBe(2)
  ageRecords(box.databaseFile, daysMs)
  await using server = await box.serve()
  await eventually('the refused submission is deleted', async () => (await all()) === 1)
  expect(await box.submissions()).toMatchObject([{ status: 'accepted' }])
  await server.says(
    'stderr',
    /"level":"info","message":"Retention deleted[^\n]*"submissions":0,"events":0,"refused":1\}/,
  )
})
