import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openConnection } from '../../src/storage/sqlite/database/connection.ts'
import { SqliteCertificateStore } from '../../src/storage/sqlite/https/certificate-store.ts'
import { aSite, writeSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax } from '../harness/executable.ts'
import { type Pebble, startPebble } from '../harness/pebble.ts'
import { autoBox, isActive, keptName, keptOrders, plainVisit, pointHere, untilName, visit } from './harness/auto-box.ts'
import type { BinaryBox } from './harness/binary-box.ts'
import type { RunningServer } from './harness/program.ts'
import { TlsClient } from './harness/tls-client.ts'

// Mode "auto" when something is in its way. Tests that have authorities and a box of their own wait for most of their
// time: they do it side by side.

const host = 'go.acme-launch.dev'
const page = { 'pages/launch.html': 'Hello' }

const opened: AsyncDisposable[] = []
afterAll(async () => {
  for (const each of opened.reverse()) await each[Symbol.asyncDispose]()
})

const kept = <T extends AsyncDisposable>(each: T): T => {
  opened.push(each)
  return each
}

async function anAuthority(options: Parameters<typeof startPebble>[0] = {}): Promise<Pebble> {
  const pebble = kept(await startPebble({ httpPort: 80, ...options }))
  await pointHere(pebble, [host])
  return pebble
}

/** As `capture domain check HOST --now` does it. */
async function tryNow(box: BinaryBox, name: string): Promise<void> {
  const connection = openConnection(box.databaseFile)
  await new SqliteCertificateStore(connection).tryNow(name, Date.now())
  connection.raw.close()
}

function change(box: BinaryBox, sql: string): void {
  const connection = openConnection(box.databaseFile)
  connection.raw.run(sql)
  connection.raw.close()
}

describe('a name that has its certificate', () => {
  const second = 'second.acme-launch.dev'
  let pebble: Pebble
  let box: BinaryBox
  let server: RunningServer
  let root: string
  beforeAll(async () => {
    pebble = await startPebble({ httpPort: 80 })
    await pointHere(pebble, [host])
    root = await pebble.issuingRoot()
    box = await autoBox(pebble)
    await connect(host)
    server = await box.serve()
    await untilName(box, host, (name) => isActive(name) && name.certificate?.renewal.window !== null)
  }, buildMsMax)
  afterAll(async () => {
    await box[Symbol.asyncDispose]()
    await pebble[Symbol.asyncDispose]()
  })

  const connect = (...domains: string[]) => box.apply(aSite({ domains, files: page }))
  const statusOf = async (name: string) => (await visit(pebble, { host: name, root }))?.status ?? null
  const ordersSince = async ({ length }: object[]) => (await keptOrders(box)).slice(length)
  const serialOf = async () => (await keptName(box, host))?.certificate?.serial

  test('has it replaced once its renewal window is moved into the past, which is announced as a renewal', async () => {
    const [orders, first] = [await keptOrders(box), await serialOf()]
    const connection = openConnection(box.databaseFile)
    const pair = await new SqliteCertificateStore(connection).read(host)
    connection.raw.close()
    const past = { start: new Date(Date.now() - 7_200_000), end: new Date(Date.now() - 3_600_000) }
    const leaf = /-----BEGIN[\s\S]*?-----END CERTIFICATE-----\n/.exec(pair?.certificate ?? '')?.[0] ?? ''
    await pebble.setRenewalInfo(leaf, JSON.stringify({ suggestedWindow: past }))
    // As if its Retry-After had passed.
    change(box, 'UPDATE certificate SET ask_at = 0')
    const replaced = await untilName(box, host, ({ certificate }) => certificate?.serial !== first)
    expect(replaced).toMatchObject({ state: 'active' })
    expect(orders[0]).toMatchObject({ isAnnounced: false, outcome: 'issued' })
    expect(await ordersSince(orders)).toMatchObject([{ isAnnounced: true, outcome: 'issued' }])
    const serialInUse = async () => {
      using client = await TlsClient.open(443, host, { host: pebble.address })
      return client.serialNumber.toLowerCase()
    }
    await eventually('it is in use', async () => (await serialInUse()) === replaced.certificate?.serial)
  })

  test('has it replaced when the service starts and its key is damaged', async () => {
    const first = await serialOf()
    await server.stop()
    change(box, `UPDATE certificate SET key = 'sealed:damaged'`)
    server = await box.serve()
    await untilName(box, host, ({ certificate }) => certificate?.serial !== first)
    await eventually('it is in use', async () => (await statusOf(host)) === 200)
  })

  test('is shown none any more once it is disconnected, which is kept for its return', async () => {
    const orders = await keptOrders(box)
    await pointHere(pebble, [second])
    await connect(host, second)
    await untilName(box, second, isActive)
    await eventually('both are served', async () => (await statusOf(host)) === 200 && (await statusOf(second)) === 200)
    await connect(host)
    const removed = await untilName(box, second, ({ removedAt }) => removedAt !== null)
    expect(removed.certificate).not.toBeNull()
    await eventually('it is not shown', async () => (await statusOf(second)) === null)
    await connect(host, second)
    await eventually('it is shown', async () => (await statusOf(second)) === 200)
    expect(await ordersSince(orders)).toMatchObject([{ host: second }])
  })

  test('has it on a box that is restored from a backup, which orders nothing', async () => {
    await server.stop()
    const file = join(box.dir, 'backup.tar')
    await box.done(['backup', file])
    rmSync(box.dataDir, { recursive: true })
    await box.done(['restore', file])
    const orders = await keptOrders(box)
    server = await box.serve()
    expect(await visit(pebble, { host, root })).toEqual({ status: 200, text: 'Hello' })
    const late = 'late.acme-launch.dev'
    await pointHere(pebble, [late])
    await connect(host, late)
    await untilName(box, late, isActive)
    expect((await ordersSince(orders)).map(({ host }) => host)).toEqual([late])
  })
})

test.concurrent('a refused order leads over a trial at the staging directory to the next real one', async () => {
  const pebble = await anAuthority({ blockedHosts: [host] })
  const staging = kept(await startPebble({ httpPort: 80 }))
  // The staging authority asks the same DNS, and is trusted by the same file.
  await staging.dns.setA(host, pebble.address)
  const both = join(pebble.caFile, '../both.pem')
  await Bun.write(both, `${pebble.ca}\n${staging.ca}`)
  const box = kept(await autoBox(pebble, { https: { staging_directory: staging.directoryUrl, ca_file: both } }))
  await box.apply(aSite({ domains: [host], files: page }))
  await box.serve()

  const failing = await untilName(box, host, ({ state }) => state === 'failing')
  expect(failing).toMatchObject({ isTrial: true, certificate: null, failures: 1 })
  expect(failing.reason).toContain(`The certificate authority ${new URL(pebble.directoryUrl).host} says: `)
  expect(failing.nextTryAt).toBeGreaterThan(Date.now())

  await pebble.stop()
  await pebble.start({ blockedHosts: [] })
  await tryNow(box, host)
  await eventually('it is active', async () => {
    // The authority has forgotten the box's account, which costs one more try.
    if ((await keptName(box, host))?.state === 'failing') await tryNow(box, host)
    return (await keptName(box, host))?.state === 'active'
  })
  const orders = (await keptOrders(box)).map(({ directory, outcome }) => [directory, outcome])
  expect(orders.slice(0, 2)).toEqual([
    [pebble.directoryUrl, 'refused'],
    [staging.directoryUrl, 'issued'],
  ])
  expect(orders.at(-1)).toEqual([pebble.directoryUrl, 'issued'])
  expect((await keptName(box, host))?.certificate?.directory).toBe(pebble.directoryUrl)
})

test.concurrent('an authority that is away hinders nobody from being served, and is asked again', async () => {
  const pebble = await anAuthority()
  await pebble.stop()
  const box = kept(await autoBox(pebble))
  await box.apply(aSite({ domains: [host], files: page }))
  const server = await box.serve()
  const waiting = await untilName(box, host, ({ reason }) => reason.includes('cannot be reached'))
  expect(waiting).toMatchObject({ state: 'waiting', certificate: null })
  await server.says('stderr', /cannot be reached.*Names wait for their certificates\./)
  expect(await (await plainVisit(pebble, host)).text()).toBe('Hello')
  await pebble.start()
  await eventually('it is active', async () => {
    const name = await keptName(box, host)
    if (name?.state === 'waiting' && (name.nextTryAt ?? 0) > Date.now()) await tryNow(box, host)
    return name?.state === 'active'
  })
})

test.concurrent('behind a proxy that passes port 80 on to [server] listen, challenges are answered there', async () => {
  const pebble = await anAuthority()
  const box = kept(await autoBox(pebble, { server: { listen: `${pebble.address}:80` }, https: { http_listen: '' } }))
  await box.apply(aSite({ domains: [host], files: page }))
  await box.serve()
  await untilName(box, host, isActive)
})

test.concurrent('a name that port 80 does not reach is ordered once its TXT record lets it be', async () => {
  const pebble = await anAuthority()
  await pebble.dns.setA(host, '127.0.0.2')
  const box = kept(await autoBox(pebble))
  await box.apply(aSite({ domains: [host], files: page }))
  await box.serve()
  await untilName(box, host, ({ observed }) => observed.a.length > 0)
  const account = async () => {
    const connection = openConnection(box.databaseFile)
    try {
      return (await new SqliteCertificateStore(connection).account(pebble.directoryUrl))?.url ?? null
    } finally {
      connection.raw.close()
    }
  }
  await eventually('the box has an account, before any order', async () => (await account()) !== null)
  expect(await keptOrders(box)).toEqual([])
  await pebble.dns.setTxt(`_validation-persist.${host}`, `pebble.test; accounturi=${await account()}`)
  await tryNow(box, host)
  await untilName(box, host, isActive)
})

test.concurrent('an authority that wants an external account binding is given one', async () => {
  const pebble = await anAuthority({
    externalAccounts: { 'kid-1': 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W' },
  })
  const eab = { eab_kid: 'kid-1', eab_hmac_env: 'TEST_EAB_HMAC' }
  const box = kept(await autoBox(pebble, { https: eab }))
  const env = { TEST_EAB_HMAC: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W' }
  const folder = join(box.dir, 'sites', 'acme')
  writeSite(folder, aSite({ domains: [host], files: page }))
  expect((await box.run(['apply', folder], env)).status).toBe(0)
  const server = await box.serve(env)
  await untilName(box, host, isActive)
  expect(server.stderr).not.toContain(env.TEST_EAB_HMAC)
})
