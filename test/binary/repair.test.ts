// A disk damages the database under a running service: captures go on, and what is left is served again after a repair.
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { aSite } from '../harness/a-site.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { DatabasePages } from '../harness/damaged-pages.ts'
import { eventually } from '../harness/eventually.ts'
import { BinaryBox } from './harness/binary-box.ts'

test('no lead is lost by a damaged page: it is captured beside the damage, kept by the repair, and served on', async () => {
  await using box = await BinaryBox.make()
  await box.apply(aSite())
  const first = await box.serve()
  for (let sent = 0; sent < 60; sent++) submissionIdOf(await first.send(formRequest()))
  await first.stop()
  const before = await box.submissions()
  const pages = new DatabasePages(box.databaseFile)
  pages.fillWithGarbage(pages.of('ledger', 'leaf')[1] ?? 0)

  const damaged = await box.serve()
  const captured = submissionIdOf(await damaged.send(formRequest()))
  expect(await box.run(['export', 'acme', 'submissions'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('`capture repair`'),
  })
  expect(await box.run(['repair'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('is in use by process'),
  })
  await damaged.stop()

  const { status, stdout } = await box.run(['repair', '--json'])
  const { folder, missing } = JSON.parse(stdout)
  const [{ table, rows: lost }] = missing
  expect({ status, table }).toEqual({ status: 1, table: 'ledger' })
  renameSync(box.dataDir, `${box.dataDir}.damaged`)
  renameSync(folder, box.dataDir)
  const repaired = await box.serve()
  const last = submissionIdOf(await repaired.send(formRequest()))
  const ids = (await box.submissions()).map(({ submissionId }) => submissionId)
  expect(ids).toHaveLength(before.length + 2 - lost)
  expect(ids.slice(-2)).toEqual([captured, last])
  await eventually('the lead is listed', async () => (await box.done(['submission', 'list', 'acme'])).includes(last))
})

test('a damaged text of one account takes no other from its visitors, and no lead that was captured', async () => {
  await using box = await BinaryBox.make()
  for (const account of ['acme', 'birch', 'cedar', 'dahlia'])
    await box.apply(aSite({ account, files: { 'pages/launch.html': 'Launch' } }))
  const before = await box.serve()
  submissionIdOf(await before.send(formRequest()))
  await before.stop()
  using rows = new Database(box.databaseFile)
  rows.run(`UPDATE account SET settings = substr(settings, 2) WHERE handle = 'acme'`)
  // Valid, but of another shape.
  rows.run(`UPDATE account SET settings = replace(settings, '"botCheck"', '"botCheak"') WHERE handle = 'cedar'`)
  rows.run(
    `UPDATE asset_version SET variants = '{' WHERE account_row = (SELECT row FROM account WHERE handle = 'dahlia')`,
  )
  rows.close()

  const server = await box.serve()
  submissionIdOf(await server.send(formRequest({ account: 'birch' })))
  expect((await server.send(formRequest())).status).toBe(404)
  await server.stop()

  const { folder, withoutSettings } = JSON.parse((await box.run(['repair', '--json'])).stdout)
  expect(withoutSettings).toEqual([{ account: 'acme', fromKeptFolder: true }])
  renameSync(box.dataDir, `${box.dataDir}.damaged`)
  renameSync(folder, box.dataDir)
  const repaired = await box.serve()
  submissionIdOf(await repaired.send(formRequest()))
  expect(await box.submissions()).toHaveLength(2)
  await repaired.stop()
})
