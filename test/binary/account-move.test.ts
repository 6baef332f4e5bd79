// `capture account move` between two boxes (docs/moving.md): everything of the account arrives as it was, and what was
// signed before goes on working.
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { SqliteReplyConsent } from '../../src/storage/sqlite/account/reply-consent.ts'
import { aSite } from '../harness/a-site.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { Receiver, signedBy } from '../harness/receiver.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { applyDeliveries, aWebhook, deliveriesBecome, deliveriesOf, deliveryBox } from './harness/delivery-box.ts'
import { emailOf, everything, livelyBox, livelySite, visits } from './harness/lively-box.ts'
import { getRequest, trackedLink } from './harness/requests.ts'

/** Boxes that take seconds to come about: each test has copies of them. */
let lively: BinaryBox
let other: BinaryBox
/** The account of the lively one, moved out. */
let moved: { file: string; nextSince: string }
let printed: { hour: number; text: Record<string, string> } | undefined

beforeAll(async () => {
  lively = await livelyBox()
  other = await otherBox()
  const file = join(lively.dir, 'acme.capture')
  moved = { file, ...(await moveOut(lively, file)) }
  await before()
})
afterAll(async () => {
  await lively[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
})

/** What commands print of the lively one. Reports end with the present day: it is asked again in the next hour. */
async function before(): Promise<Record<string, string>> {
  const hour = Math.floor(Date.now() / 3_600_000)
  if (printed?.hour !== hour) printed = { hour, text: await everything(lively) }
  return printed.text
}

const json = async (box: BinaryBox, argv: string[]) => JSON.parse(await box.done([...argv, '--json']))
const moveOut = (box: BinaryBox, file: string, ...options: string[]) =>
  json(box, ['account', 'move', 'acme', '--to', file, ...options])
const moveIn = (box: BinaryBox, file: string) => json(box, ['account', 'move', 'acme', '--from', file])

/** A box with an account of its own and some records, so that no number fits by chance. */
async function otherBox(): Promise<BinaryBox> {
  const box = await BinaryBox.make()
  await box.apply(aSite({ account: 'umbra' }))
  await using server = await box.serve()
  for (const name of ['ada', 'zoe', 'yan']) {
    await server.send(formRequest({ account: 'umbra', fields: { email: emailOf(name) } }))
  }
  await server.stop()
  // Processed now: later, its rows could be taken for those of an account that arrives.
  await box.done(['export', 'umbra', 'submissions'])
  return box
}

test('an account arrives byte for byte, beside another one and a running server, and other accounts stay as they are', async () => {
  await using from = await lively.copy()
  await using to = await other.copy()
  const others = await to.done(['export', 'umbra', 'submissions'])
  const file = join(from.dir, 'acme.capture')
  await moveOut(from, file)
  await using server = await to.serve()
  expect(await moveIn(to, file)).toMatchObject({ account: 'acme', arrived: 'account' })
  expect(await everything(to)).toEqual(await before())
  expect(await to.done(['export', 'umbra', 'submissions'])).toBe(others)
  expect((await json(to, ['doctor'])).status).toBe('ok')
  expect((await server.send(getRequest('/launch'))).text).toContain('Hello')
  await visits(to, server, 20)
  const report = await json(to, ['report', 'acme', '--since', '30d'])
  expect(report).not.toEqual(JSON.parse((await before())['report acme --since 30d --json'] ?? ''))
  expect(await everything(from)).toEqual(await before())
})

test('links and cookies that the old box signed work on the new one for this account alone', async () => {
  await using from = await lively.copy()
  await using to = await other.copy()
  const link = await trackedLink(from)
  let cookie = ''
  {
    await using server = await from.serve()
    const answer = await server.send(getRequest('/launch'))
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  }
  await moveIn(to, moved.file)
  await using server = await to.serve()
  expect((await server.send(link)).status).toBe(302)
  const again = await server.send({ ...getRequest('/launch'), headers: { cookie } })
  // The device is known: it gets the same id again, by the new box's own key.
  const deviceOf = (text: string) => text.split('=')[1]?.split('.')[0]
  expect(deviceOf(again.headers.getSetCookie()[0] ?? cookie)).toBe(deviceOf(cookie))
  expect((await server.send({ ...link, host: 'go.umbra.test' })).status).not.toBe(302)
})

test('a later run moves what the old box captured meanwhile, once, and delivers none of it again', async () => {
  await using from = await lively.copy()
  await using to = await other.copy()
  await moveIn(to, moved.file)
  const rest = join(from.dir, 'rest.capture')
  await using old = await from.serve()
  const late = submissionIdOf(await old.send(formRequest({ fields: { email: emailOf('late') } })))
  await from.done(['person', 'erase', 'acme', emailOf('ada'), '--yes'])
  await moveOut(from, rest, '--since', moved.nextSince)
  await using server = await to.serve()
  const here = submissionIdOf(await server.send(formRequest({ fields: { email: emailOf('here') } })))
  expect(await moveIn(to, rest)).toMatchObject({ arrived: 'records', records: 1, erasedAgain: { erasures: 1 } })
  expect(await moveIn(to, rest)).toMatchObject({ arrived: 'records', records: 0, erasedAgain: { erasures: 0 } })
  const submissions = await to.done(['export', 'acme', 'submissions', '--all'])
  expect([submissions.includes(late), submissions.includes(here)]).toEqual([true, true])
  expect(submissions).not.toContain(emailOf('ada'))
  expect(await to.done(['export', 'acme', 'persons'])).toContain(emailOf('late'))
})

test.each(['asset', 'ledger', 'day_figure'])(
  'an import that is killed once rows of %s are stored leaves nothing that anybody sees, and the next one is whole',
  async (table) => {
    for (let isKilled = false; !isKilled; ) {
      await using to = await other.copy()
      await using server = await to.serve()
      // Where the machine gives the command more time than this test, it is done, and another one is killed.
      isKilled = await killedOnceStored(to, table)
      if (!isKilled) continue
      expect((await json(to, ['account', 'list'])).accounts).toMatchObject([{ account: 'umbra' }])
      expect((await server.send(getRequest('/launch'))).status).toBe(404)
      const { checks } = await json(to, ['doctor'])
      expect(checks.map(({ found }: { found: string }) => found)).toContainEqual(
        expect.stringMatching(/^The move of .* to this box/),
      )
      await moveIn(to, moved.file)
      expect(await everything(to)).toEqual(await before())
      expect((await json(to, ['doctor'])).status).toBe('ok')
    }
  },
)

/** Takes the file in and kills that as soon as it has stored rows of the table; answers whether it came in time. */
async function killedOnceStored(to: BinaryBox, table: string): Promise<boolean> {
  const rows = (): number => {
    using database = new Database(to.databaseFile, { readonly: true })
    return database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0
  }
  const began = rows()
  await using command = to.start(['account', 'move', 'acme', '--from', moved.file])
  let hasEnded = false
  const ending = command.exits().then(() => {
    hasEnded = true
  })
  while (rows() === began && !hasEnded) await Bun.sleep(1)
  command.signal('SIGKILL')
  await ending
  return command.stdout === ''
}

test('deliveries are remembered, and a webhook hears of each lead once, whichever box captured it', async () => {
  await using receiver = new Receiver()
  await using from = await deliveryBox()
  await using to = await deliveryBox()
  const secrets = await applyDeliveries(from, [aWebhook(receiver.url('/hook'))])
  const [file, rest] = [join(from.dir, 'acme.capture'), join(from.dir, 'rest.capture')]
  await using old = await from.serve()
  const first = submissionIdOf(await old.send(formRequest({ fields: { email: emailOf('first') } })))
  const settled = await deliveriesBecome(from, 'it is settled', ([row]) => row?.state === 'delivered')
  const { nextSince } = await moveOut(from, file)
  await using server = await to.serve()
  await moveIn(to, file)
  expect(await deliveriesOf(to)).toEqual(settled)
  const late = submissionIdOf(await old.send(formRequest({ fields: { email: emailOf('late') } })))
  await receiver.got(2)
  await moveOut(from, rest, '--since', nextSince)
  expect(await moveIn(to, rest)).toMatchObject({ records: 1 })
  const here = submissionIdOf(await server.send(formRequest({ fields: { email: emailOf('here') } })))
  const received = (await receiver.got(3)).at(-1)
  expect(receiver.ids).toEqual([first, late, here])
  expect(received && signedBy(received, [secrets.crm ?? ''])).toEqual([secrets.crm ?? ''])
})

test('people who unsubscribed on the old box get no replies from the new one', async () => {
  await using from = await BinaryBox.make()
  await using to = await other.copy()
  await from.apply(livelySite)
  const file = join(from.dir, 'acme.capture')
  const keys = await BoxKeys.of(from)
  await moveOut(from, file)
  await moveIn(to, file)
  await using server = await to.serve()
  const optOut = { ...getRequest(keys.optOutPath(emailOf('ada'))), method: 'POST' }
  expect((await server.send(optOut)).status).toBe(200)
  using database = new Database(to.databaseFile, { readonly: true })
  const consent = new SqliteReplyConsent(database)
  const accountId = keys.accountId('acme')
  expect(consent.isOptedOut(accountId, emailOf('ada'))).toBe(true)
  expect(consent.isOptedOut(accountId, emailOf('ben'))).toBe(false)
})

test('an account that was moved and removed can come back', async () => {
  await using from = await lively.copy()
  await using to = await other.copy()
  await moveIn(to, moved.file)
  await from.done(['account', 'remove', 'acme', '--yes'])
  const back = join(from.dir, 'back.capture')
  await moveOut(to, back)
  await moveIn(from, back)
  expect(await everything(from)).toEqual(await before())
})

test('a file that is damaged, of another account or of later records alone changes nothing', async () => {
  await using to = await other.copy()
  const { file } = moved
  const refused = async (argv: string[]) => {
    const { status, stderr } = await to.run(argv)
    expect(status).toBe(1)
    expect((await json(to, ['account', 'list'])).accounts).toHaveLength(1)
    return stderr
  }
  expect(await refused(['account', 'move', 'umbra', '--from', file])).toContain('it holds the account "acme"')
  const rest = join(to.dir, 'rest.capture')
  await moveOut(lively, rest, '--since', moved.nextSince)
  expect(await refused(['account', 'move', 'acme', '--from', rest])).toContain(
    'Take in the file with the whole account',
  )
  const damaged = join(to.dir, 'damaged.capture')
  const bytes = new Uint8Array(await Bun.file(file).arrayBuffer())
  bytes.fill(88, bytes.length / 2, bytes.length / 2 + 8)
  await Bun.write(damaged, bytes)
  expect(await refused(['account', 'move', 'acme', '--from', damaged])).toContain('Nothing was changed')
  await to.apply({ ...livelySite, account: 'other' })
  const { stderr } = await to.run(['account', 'move', 'acme', '--from', file])
  expect(stderr).toContain('belongs to the account "other" on this box')
})

test('a name that is reserved here for another account goes to the one that arrives, and the command says so', async () => {
  await using to = await other.copy()
  const domains = ['go.umbra.test', 'go.acme.test']
  await to.apply(aSite({ account: 'umbra', domains }))
  await to.apply(aSite({ account: 'umbra' }))
  const { status, stderr } = await to.run(['account', 'move', 'acme', '--from', moved.file])
  expect([status, stderr]).toEqual([
    0,
    expect.stringMatching(/notice: go\.acme\.test is reserved for the account "umbra", .*; "acme" takes it\./),
  ])
  expect(await json(to, ['domain', 'reserved'])).toEqual([])
})
