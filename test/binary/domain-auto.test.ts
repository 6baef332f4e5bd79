import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openConnection } from '../../src/storage/sqlite/database/connection.ts'
import { SqliteCertificateStore } from '../../src/storage/sqlite/https/certificate-store.ts'
import { aSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax } from '../harness/executable.ts'
import { type Pebble, startPebble } from '../harness/pebble.ts'
import { autoBox, isActive, keptName, plainVisit, pointHere, untilName } from './harness/auto-box.ts'
import type { BinaryBox } from './harness/binary-box.ts'
import type { RunningServer } from './harness/program.ts'

// `domain list` and `domain check` beside a service that orders certificates.

const host = 'go.acme-launch.dev'
const elsewhere = 'old.acme-launch.dev'
const forbidden = 'caa.acme-launch.dev'
const dayMs = 86_400_000

let pebble: Pebble
let box: BinaryBox
let server: RunningServer

beforeAll(async () => {
  pebble = await startPebble({ httpPort: 80 })
  await pointHere(pebble, [host, forbidden])
  await pebble.dns.setA(elsewhere, '127.0.0.2')
  await pebble.dns.setCaa(forbidden, { tag: 'issue', value: 'digicert.com' })
  box = await autoBox(pebble, { https: { addresses: [] } })
  await box.apply(aSite({ domains: [host, elsewhere, forbidden] }))
  server = await box.serve()
  await untilName(box, host, isActive)
  // From then on no handshake meets the certificates of before.
  await eventually('visitors are sent on', async () => (await plainVisit(pebble, host)).status === 308)
  for (const name of [elsewhere, forbidden]) await untilName(box, name, ({ observed }) => observed.a.length > 0)
}, buildMsMax)

afterAll(async () => {
  await box?.[Symbol.asyncDispose]()
  await pebble?.[Symbol.asyncDispose]()
})

const check = async (name: string, ...argv: string[]) =>
  JSON.parse((await box.run(['domain', 'check', name, '--json', ...argv])).stdout)

test('list tells of each name what the service keeps', async () => {
  const rows = JSON.parse(await box.done(['domain', 'list', 'acme', '--json']))
  const [forbiddenRow, active, waiting] = rows
  expect(rows.map(({ host }: { host: string }) => host)).toEqual([forbidden, host, elsewhere])
  expect(active).toMatchObject({ state: 'active', reason: '', nextTryAt: null, observed: { http: 'ours' } })
  expect(active.certificate.serial).toMatch(/^[0-9a-f]+$/)
  expect(Date.parse(active.certificate.renewAt)).toBeLessThan(Date.parse(active.certificate.notAfter))
  expect(waiting).toMatchObject({ state: 'waiting', certificate: null, observed: { a: ['127.0.0.2'] } })
  expect(Date.parse(waiting.nextTryAt)).toBeGreaterThan(Date.now() - dayMs)
  expect(forbiddenRow.reason).toContain('let only digicert.com issue certificates: add 0 issue "pebble.test"')
})

test('list has the TXT record that may stand in for port 80, for names without a certificate', async () => {
  const rows = JSON.parse(await box.done(['domain', 'list', '--json']))
  const records = rows.map(({ persistRecord }: { persistRecord?: object }) => persistRecord ?? null)
  const value = expect.stringMatching(/^pebble\.test; accounturi=https:\/\//)
  expect(records.slice(0, 3)).toEqual([
    { name: `_validation-persist.${forbidden}`, value },
    null,
    { name: `_validation-persist.${elsewhere}`, value },
  ])
  expect(await box.done(['domain', 'list'])).toContain(
    `_validation-persist.${elsewhere}  TXT  "pebble.test; accounturi=`,
  )
})

test('check agrees with the service, by the names that the authority itself has told', async () => {
  expect((await check(forbidden)).reason).toContain('add 0 issue "pebble.test"')
  expect(await check(host)).toMatchObject({ state: 'active', reason: '', observed: { http: 'ours' } })
})

test('check says of an active name what its renewal would meet', async () => {
  await pebble.dns.setA(host, '127.0.0.2')
  try {
    const { status, stdout, stderr } = await box.run(['domain', 'check', host, '--json', '--now'])
    expect(JSON.parse(stdout)).toMatchObject({ state: 'active', reason: '', observed: { a: ['127.0.0.2'] } })
    expect({ status, fault: JSON.parse(stdout).fault }).toEqual({ status: 1, fault: expect.stringContaining(host) })
    expect(stderr).toContain('no attempt is waiting')
  } finally {
    await pebble.dns.setA(host, pebble.address)
  }
})

test('doctor says the same of every name', async () => {
  const { checks } = JSON.parse(await box.done(['doctor', '--json']))
  const certificates = checks.filter(({ check }: { check: string }) => check === 'certificate')
  expect(certificates).toMatchObject([
    { status: 'warning', found: `${forbidden} (The acme studio) waits for its certificate.` },
    { status: 'warning', found: `${elsewhere} (The acme studio) waits for its certificate.` },
    { status: 'ok', found: expect.stringContaining('1 name has its certificate') },
    { status: 'ok', found: expect.stringContaining('preview.localhost') },
  ])
  expect(certificates[0].advice).toContain('0 issue "pebble.test"')
  const domains = checks.filter(({ check }: { check: string }) => check === 'domain')
  expect(domains).toMatchObject([
    { status: 'ok', found: expect.stringContaining(`${host} (The acme studio) is ${pebble.address}`) },
  ])
})

test('check --now has the running service try a name that would have waited for a day', async () => {
  await server.stop()
  const connection = openConnection(box.databaseFile)
  const store = new SqliteCertificateStore(connection)
  const name = await store.name(elsewhere)
  if (name === null) throw new Error('nothing is kept of the name')
  const now = Date.now()
  await store.keepNames([{ ...name, nextTryAt: now + dayMs, decidedAt: now }])
  connection.raw.close()
  server = await box.serve()
  await pebble.dns.setA(elsewhere, pebble.address)
  await eventually('port 80 of the name is ours', async () => (await check(elsewhere)).observed.http === 'ours')
  expect((await keptName(box, elsewhere))?.nextTryAt).toBe(now + dayMs)
  const checked = await check(elsewhere, '--now')
  expect(Date.parse(checked.nextTryAt)).toBeLessThan(now + dayMs)
  await untilName(box, elsewhere, isActive)
})
