// `capture person erase` as an operator runs it, on the executable (docs/privacy.md, "Erasing a person").
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { filesHolding } from '../harness/files-holding.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { mayBeBusy, nothingAcknowledged, startLoad } from './harness/load.ts'
import type { RunningServer } from './harness/program.ts'
import { expectIntact } from './harness/promises-kept.ts'
import { getRequest, trackedLink } from './harness/requests.ts'

const ada = 'ada.lovelace@customer.example'
const ben = 'ben@customer.example'
const kills = 6
const killedWithinMs = 250
const visits = 300

const site = aSite({ files: { 'pages/launch.html': 'Hello' } })

/** Somebody visits, says who they are and sends the form, all from one device. */
async function visitAs(server: RunningServer, email: string, views = 1): Promise<void> {
  const first = await server.send(getRequest('/launch', { 'user-agent': 'Mozilla/5.0 (X11) Firefox/140.0' }))
  const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const view = () => server.send(getRequest('/launch', { cookie, 'user-agent': 'Mozilla/5.0 (X11) Firefox/140.0' }))
  for (let seen = 1; seen < views; seen++) await view()
  await server.send(eventRequest({ headers: { cookie }, events: [{ event: '$identify', traits: { email } }] }))
  await server.send(formRequest({ headers: { cookie }, fields: { email, message: `It is me, ${email}` } }))
}

const erase = (email: string, ...more: string[]) => ['person', 'erase', 'acme', email, '--json', ...more]

test('an erasure prints its receipt, names nobody, and leaves the address in no file of a running box', async () => {
  await using box = await BinaryBox.make()
  await box.apply(site)
  await using server = await box.serve()
  await visitAs(server, ada, 3)
  await visitAs(server, ben)
  const told = await box.run(erase(ada))
  expect(told).toMatchObject({ status: 2, stderr: expect.stringContaining('--yes') })
  const counts = { submissions: 1, events: 1, pageViews: 3, clicks: 0, devices: 1 }
  expect(JSON.parse(told.stdout)).toEqual({ account: 'acme', erased: false, ...counts })
  expect(filesHolding(box.dataDir, ada)).not.toEqual([])
  const done = await box.run(erase(ada, '--yes'))
  expect(JSON.parse(done.stdout)).toEqual({
    account: 'acme',
    erased: true,
    ...counts,
    mentionedIn: [],
    mentions: 0,
    verified: true,
    snapshots: [],
    movedAside: [],
  })
  expect(done.status).toBe(0)
  expect(done.stdout + done.stderr).not.toContain(ada)
  expect(filesHolding(box.dataDir, ada)).toEqual([])
  expect(await box.submissions()).toHaveLength(1)
  const again = await box.run(['person', 'erase', 'acme', ada, '--yes'])
  expect(again).toMatchObject({ status: 0, stdout: expect.stringContaining('Out of reach: earlier backups') })
})

test(`killed ${kills} times in the middle, an erasure is finished by the next one`, async () => {
  await using box = await BinaryBox.make()
  await box.apply(site)
  {
    await using server = await box.serve()
    await visitAs(server, ada, visits)
    await visitAs(server, ben)
  }
  for (let kill = 0; kill < kills; kill++) {
    await using erasing = box.start(erase(ada, '--yes'))
    await Bun.sleep(Math.random() * killedWithinMs)
    erasing.signal('SIGKILL')
    await erasing.ended()
  }
  expect(JSON.parse(await box.done(erase(ada, '--yes')))).toMatchObject({ verified: true })
  expect(filesHolding(box.dataDir, ada)).toEqual([])
  expect(await box.submissions()).toMatchObject([{ identity: { email: ben } }])
  const { stdout } = await box.run(['report', 'acme', '--json'])
  expect(JSON.parse(stdout).totals).toMatchObject({ views: 1, visits: 1, visitors: 1, leads: 1 })
  expectIntact(box)
})

test('captures go on being answered while somebody is erased', async () => {
  await using box = await BinaryBox.make()
  await box.apply(site)
  await using server = await box.serve()
  const link = await trackedLink(box)
  await visitAs(server, ada, visits)
  const acknowledged = nothingAcknowledged()
  const load = startLoad({ server, link, acknowledged, mayRefuse: mayBeBusy })
  await eventually('some were captured before', async () => acknowledged.submissionIds.length > 10)
  const receipt = JSON.parse(await box.done(erase(ada, '--yes')))
  await load.reached(acknowledged.submissionIds.length + acknowledged.batches.size + 100)
  await load.stop()
  expect(receipt).toMatchObject({ submissions: 1, pageViews: visits, verified: true })
  expect(filesHolding(box.dataDir, ada)).toEqual([])
  const stored = (await box.submissions()).map(({ submissionId }) => submissionId)
  expect(acknowledged.submissionIds.filter((id) => !stored.includes(id))).toEqual([])
})

test('an erasure that meets a damaged record that may name the person fails, and says what to do', async () => {
  await using box = await BinaryBox.make()
  await box.apply(site)
  {
    await using server = await box.serve()
    for (const email of ['nada@x.example', 'ada@x.example']) await server.send(formRequest({ fields: { email } }))
    await box.done(['report', 'acme'])
    await server.stop()
  }
  {
    using database = new Database(box.databaseFile, { readwrite: true, strict: true })
    database.run(`UPDATE ledger SET record = substr(record, 1, length(record) - 1) WHERE record LIKE '%nada@%'`)
  }
  const { status, stdout, stderr } = await box.run(erase('ada@x.example', '--yes'))
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain('capture repair')
  expect(stderr).not.toContain('ada@x.example')
})
