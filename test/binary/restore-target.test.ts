// `capture restore TARGET` (docs/backup-and-restore.md): the machine is gone, and a target brings everything back.
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newKeyPair } from '../../src/backup/format/sealing.ts'
import { SqliteReplyConsent } from '../../src/storage/sqlite/account/reply-consent.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { buildMsMax } from '../harness/executable.ts'
import { Receiver } from '../harness/receiver.ts'
import { startS3Server } from '../harness/s3-server.ts'
import { type BackedUpBox, backedUpBox, backedUpSite, isBackedUp, kept, objectsIn } from './harness/backup-box.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { applyDeliveries, aWebhook, deliveriesBecome, deliveriesOf } from './harness/delivery-box.ts'
import type { RunningServer } from './harness/program.ts'
import { getRequest, trackedLink } from './harness/requests.ts'

const ada = 'ada@customer.example'
const send = async (server: RunningServer, email: string) =>
  submissionIdOf(await server.send(formRequest({ fields: { email } })))
const lose = (box: BinaryBox) => rmSync(box.dataDir, { recursive: true, force: true })
const restoring = ({ target, identity }: BackedUpBox, ...options: string[]) => [
  'restore',
  target,
  '--identity',
  identity,
  '--json',
  ...options,
]
const restore = async (backed: BackedUpBox, ...options: string[]) =>
  JSON.parse(await backed.box.done(restoring(backed, ...options)))

/** What every box begins with. */
let prepared: BinaryBox
beforeAll(async () => {
  prepared = await BinaryBox.make()
  await prepared.apply(backedUpSite)
}, buildMsMax)
afterAll(() => prepared[Symbol.asyncDispose]())

const aBox = () => backedUpBox({ copyOf: prepared })

test('a lost machine comes back with records, persons, pages and links, and keeps its target', async () => {
  await using backed = await aBox()
  const { box } = backed
  const server = await box.serve()
  const first = await send(server, ada)
  await isBackedUp(backed)
  const link = await trackedLink(box)
  const second = await send(server, 'ben@customer.example')
  await isBackedUp(backed)
  const persons = await box.done(['export', 'acme', 'persons'])
  server.signal('SIGKILL')
  await server.exits()
  lose(box)
  const records = { submissions: 2, events: 0, pageViews: 0, clicks: 0, others: 0 }
  expect(await restore(backed)).toMatchObject({ from: 'target', movedAside: null, accounts: 1, assets: 1, records })
  await using again = await box.serve()
  expect((await box.submissions()).map(({ submissionId }) => submissionId)).toEqual([first, second])
  expect(await box.done(['export', 'acme', 'persons'])).toBe(persons)
  expect((await again.send(link)).status).toBe(302)
  expect((await again.send(getRequest('/launch'))).text).toBe('Hello')
  const third = await send(again, 'cleo@customer.example')
  await isBackedUp(backed)
  await again.stop()
  lose(box)
  await restore(backed)
  expect((await box.submissions()).map(({ submissionId }) => submissionId)).toEqual([first, second, third])
})

test('--until brings an earlier moment back, where later erasures hold', async () => {
  await using backed = await aBox()
  const { box } = backed
  const server = await box.serve()
  await send(server, ada)
  const second = await send(server, 'ben@customer.example')
  await isBackedUp(backed)
  const until = new Date().toISOString()
  await send(server, 'cleo@customer.example')
  await box.done(['person', 'erase', 'acme', ada, '--yes'])
  await isBackedUp(backed)
  await server.stop()
  lose(box)
  const restored = await restore(backed, '--until', until)
  expect(Date.parse(restored.createdAt)).toBeLessThanOrEqual(Date.parse(until))
  expect(restored).toMatchObject({ erasedAgain: { erasures: 1, records: 1, verified: true } })
  expect((await box.submissions()).map(({ submissionId }) => submissionId)).toEqual([second])
  expect(readFileSync(box.databaseFile, 'latin1')).not.toContain(ada)
})

test('an erasure that came with the increments holds, though its base has the person', async () => {
  await using backed = await aBox()
  const { box } = backed
  const server = await box.serve()
  await send(server, ada)
  await isBackedUp(backed)
  await box.done(['backup', 'now'])
  await box.done(['person', 'erase', 'acme', ada, '--yes'])
  const second = await send(server, 'ben@customer.example')
  await isBackedUp(backed)
  await server.stop()
  lose(box)
  expect(await restore(backed)).toMatchObject({ erasedAgain: { erasures: 1, records: 1, verified: true } })
  expect((await box.submissions()).map(({ submissionId }) => submissionId)).toEqual([second])
  expect(readFileSync(box.databaseFile, 'latin1')).not.toContain(ada)
})

test('what goes aside is counted', async () => {
  await using backed = await aBox()
  const { box } = backed
  const server = await box.serve()
  await send(server, ada)
  await isBackedUp(backed)
  const until = new Date().toISOString()
  await send(server, 'ben@customer.example')
  await server.stop()
  expect(await restore(backed, '--until', until)).toMatchObject({
    movedAside: expect.stringContaining('.before-restore-'),
    leftBehind: { submissions: 1 },
  })
})

test('what was delivered before the machine was lost is not delivered again, and what was not is', async () => {
  await using receiver = new Receiver()
  await using backed = await aBox()
  const { box } = backed
  await box.done(['backup', 'now'])
  await Bun.write(
    box.configFile,
    `${await Bun.file(box.configFile).text()}\n[delivery]\nallow_private = ["127.0.0.0/8"]\n`,
  )
  await applyDeliveries(box, [aWebhook(receiver.url('/hook'))], { files: { 'pages/launch.html': 'Hello' } })
  const server = await box.serve()
  await send(server, ada)
  await deliveriesBecome(box, 'it is settled', ([row]) => row?.state === 'delivered')
  const settled = await deliveriesOf(box)
  receiver.answer = () => new Response('later', { status: 503 })
  const second = await send(server, 'ben@customer.example')
  await deliveriesBecome(box, 'it was tried', (rows) =>
    rows.some(({ attempts, state }) => attempts > 0 && state === 'waiting'),
  )
  await isBackedUp(backed)
  // The state goes with the increments, after the next look at it.
  const states = () => objectsIn(backed.folder, 'increments').length
  const before = states()
  await send(server, 'cleo@customer.example')
  while (states() < before + 3) await Bun.sleep(50).then(() => send(server, `more-${states()}@customer.example`))
  server.signal('SIGKILL')
  await server.exits()
  lose(box)
  await restore(backed)
  const heard = receiver.received.length
  receiver.answer = () => new Response('thanks')
  await using again = await box.serve()
  await box.done(['delivery', 'retry', 'acme', '--all']).catch(() => '')
  await deliveriesBecome(box, 'all are settled', (rows) => rows.every(({ state }) => state === 'delivered'))
  const after = receiver.received.slice(heard).map(({ headers }) => headers['webhook-id'])
  expect(after).toContain(second)
  expect(after).not.toContain(settled[0]?.submissionId ?? '')
  await again.stop()
})

test('whoever wanted no more replies after the latest base still gets none', async () => {
  await using backed = await aBox()
  const { box } = backed
  await box.done(['backup', 'now'])
  const keys = await BoxKeys.of(box)
  const server = await box.serve()
  const before = objectsIn(backed.folder, 'increments').length
  await server.send({ ...getRequest(keys.optOutPath(ada)), method: 'POST' })
  await send(server, 'ben@customer.example')
  await isBackedUp(backed)
  while (objectsIn(backed.folder, 'increments').length < before + 3)
    await Bun.sleep(50).then(() => send(server, 'ben@customer.example'))
  server.signal('SIGKILL')
  await server.exits()
  lose(box)
  await restore(backed)
  using database = new Database(box.databaseFile, { readonly: true })
  const consent = new SqliteReplyConsent(database)
  expect(consent.isOptedOut(keys.accountId('acme'), ada)).toBe(true)
})

test('until a moment before the oldest base nothing is restored, and nothing is left', async () => {
  await using backed = await aBox()
  const { box } = backed
  await box.done(['backup', 'now'])
  lose(box)
  const names = readdirSync(box.dir)
  const { status, stderr } = await box.run(restoring(backed, '--until', '2020-01-01T00:00:00Z'))
  expect([status, stderr]).toEqual([1, expect.stringMatching(/has no base that old: its oldest is of 20\d\d-/)])
  expect(readdirSync(box.dir)).toEqual(names)
})

test('a wrong identity, or none, is one clear sentence', async () => {
  await using backed = await aBox()
  const { box, target } = backed
  const other = join(box.dir, 'other.txt')
  await Bun.write(other, (await newKeyPair()).identity)
  await box.done(['backup', 'now'])
  for (const argv of [
    ['restore', target],
    ['restore', target, '--identity', other],
  ]) {
    const { status, stderr } = await box.run(argv)
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^.* is sealed for other identities .* Nothing was changed\.\n$/),
    ])
  }
})

test('a bucket brings everything back, and is found sound', async () => {
  await using s3 = await startS3Server()
  const url = `s3://${s3.bucket()}/capture`
  const keys = {
    s3_endpoint: s3.endpoint,
    s3_region: s3.region,
    s3_access_key: s3.accessKey,
    s3_secret_key: s3.secretKey,
  }
  await using backed = await backedUpBox({ backup: { to: [url], ...keys }, copyOf: prepared })
  const { box, identity } = backed
  const server = await box.serve()
  const first = await send(server, ada)
  await server.stop()
  await box.done(['backup', 'now'])
  lose(box)
  const verified = JSON.parse(await box.done(['backup', 'verify', '--identity', identity, '--json']))
  expect(verified).toMatchObject([{ target: url, restored: true, faults: [] }])
  expect(await restore({ ...backed, target: url })).toMatchObject({ from: 'target', accounts: 1, assets: 1 })
  expect((await box.submissions()).map(({ submissionId }) => submissionId)).toEqual([first])
})

test('a restore that is killed leaves the folder as it was, and the next one finishes', async () => {
  await using backed = await aBox()
  const { box, target, identity } = backed
  const server = await box.serve()
  const first = await send(server, ada)
  await isBackedUp(backed)
  await send(server, 'ben@customer.example')
  await server.stop()
  const staged = () => readdirSync(box.dir).find((name) => name.startsWith('data.restoring-'))
  const hasBegun = () => existsSync(join(box.dir, staged() ?? 'none', 'capture.db'))
  const before = join(box.dir, 'before')
  cpSync(box.dataDir, before, { recursive: true })
  for (let isKilled = false; !isKilled; ) {
    // Where the machine gives the command more time than this test, it is done, and another one is killed.
    lose(box)
    cpSync(before, box.dataDir, { recursive: true })
    await using command = box.start(['restore', target, '--identity', identity])
    while (!hasBegun() && command.stdout === '') await Bun.sleep(1)
    command.signal('SIGKILL')
    await command.exits()
    isKilled = command.stdout === ''
  }
  expect(await box.submissions()).toHaveLength(2)
  expect(await restore(backed)).toMatchObject({ movedAside: expect.stringContaining('.before-restore-') })
  expect((await box.submissions()).map(({ submissionId }) => submissionId)).toContain(first)
  expect(staged()).toBeUndefined()
})

/** Breaks the first object below a folder whose name fits. */
function breakObject({ folder }: BackedUpBox, below: string, fits: RegExp, how: (file: string) => void): string {
  const name = objectsIn(folder, below).find((name) => fits.test(name)) ?? 'none'
  how(join(folder, name))
  return name
}

const remove = (file: string) => rmSync(file)
const cut = (file: string) => truncateSync(file, Math.floor(readFileSync(file).length / 2))

describe('a target', () => {
  let backed: BackedUpBox
  let asBackedUp: () => void
  beforeAll(async () => {
    backed = await aBox()
    const server = await backed.box.serve()
    await send(server, ada)
    await isBackedUp(backed)
    await send(server, 'ben@customer.example')
    await isBackedUp(backed)
    await server.stop()
    asBackedUp = kept(backed)
  }, buildMsMax)
  afterAll(() => backed[Symbol.asyncDispose]())

  test.each([
    ['a damaged base', 'bases', /_\d+$/, cut],
    ['a damaged list of contents', 'bases', /assets$/, cut],
    ['a missing list of erasures', 'bases', /erasures$/, remove],
    ['a damaged increment', 'increments', /_\d+_\d+$/, cut],
    ['a damaged content', 'assets', /./, cut],
    ['a missing content', 'assets', /./, remove],
  ])('with %s has that named, and nothing is restored', async (_what, below, fits, how) => {
    asBackedUp()
    const { box } = backed
    const broken = breakObject(backed, below, fits, how)
    lose(box)
    const { status, stderr } = await box.run(restoring(backed))
    expect([status, stderr]).toEqual([1, expect.stringContaining(broken)])
    expect(stderr).toContain('Nothing was changed.')
    expect(existsSync(box.dataDir)).toBe(false)
  })
})

test('a newest object that is missing is named, and whoever was erased in it comes back by --until alone', async () => {
  await using backed = await aBox()
  const { box, folder, target } = backed
  const server = await box.serve()
  await send(server, ada)
  await isBackedUp(backed)
  await server.stop()
  // While nothing sends increments: an erasure's entries of the ledger may fall into two.
  await box.done(['person', 'erase', 'acme', ada, '--yes'])
  const again = await box.serve()
  await isBackedUp(backed)
  await again.stop()
  const newest = objectsIn(folder, 'increments').at(-1) ?? 'none'
  expect(newest).toEndWith('_erasures')
  rmSync(join(folder, newest))
  lose(box)
  for (const argv of [['backup', 'verify', '--to', target], restoring(backed)]) {
    const { status, stderr } = await box.run(argv)
    expect([status, stderr]).toEqual([1, expect.stringContaining(`names ${newest} as the newest one`)])
  }
  // With what names it gone as well, the one before it might pass for the newest.
  const latest = readFileSync(join(folder, 'latest'))
  for (const change of [() => rmSync(join(folder, 'latest')), () => writeFileSync(join(folder, 'latest'), 'damaged')]) {
    change()
    for (const argv of [['backup', 'verify', '--to', target], restoring(backed)]) {
      const { status, stderr } = await box.run(argv)
      expect([status, stderr]).toEqual([1, expect.stringContaining('may not be the newest one')])
    }
  }
  writeFileSync(join(folder, 'latest'), latest)
  expect(existsSync(box.dataDir)).toBe(false)
  const { stderr } = await box.run(restoring(backed))
  const [until = ''] = /(?<=--until )\S+Z/.exec(stderr) ?? []
  const restored = await restore(backed, '--until', until)
  expect(restored).toMatchObject({ records: { submissions: 1 }, erasuresUnknown: `the object ${newest} is missing` })
})

test('an increment that is missing in the middle is noticed, unless it lies after --until', async () => {
  await using backed = await aBox()
  const { box, folder } = backed
  const server = await box.serve()
  const first = await send(server, ada)
  await isBackedUp(backed)
  const until = new Date().toISOString()
  const before = objectsIn(folder, 'increments')
  await send(server, 'ben@customer.example')
  await isBackedUp(backed)
  const middle = objectsIn(folder, 'increments').find((name) => !before.includes(name)) ?? 'none'
  await send(server, 'cleo@customer.example')
  await isBackedUp(backed)
  await server.stop()
  rmSync(join(folder, middle))
  lose(box)
  const { status, stderr } = await box.run(restoring(backed))
  expect([status, stderr]).toEqual([1, expect.stringContaining('missing')])
  await restore(backed, '--until', until)
  expect((await box.submissions()).map(({ submissionId }) => submissionId)).toEqual([first])
})
