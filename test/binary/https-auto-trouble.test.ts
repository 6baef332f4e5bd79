import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openConnection } from '../../src/storage/sqlite/database/connection.ts'
import { SqliteCertificateStore } from '../../src/storage/sqlite/https/certificate-store.ts'
import { aSite, writeSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { type Pebble, startPebble } from '../harness/pebble.ts'
import { autoBox, isActive, keptName, keptOrders, plainVisit, pointHere, untilName, visit } from './harness/auto-box.ts'
import type { BinaryBox } from './harness/binary-box.ts'
import { TlsClient } from './harness/tls-client.ts'

// Mode "auto" when something is in its way. Each test has authorities and a box of its own, and waits for most of its
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

test.concurrent('a certificate whose renewal window is moved into the past is replaced, and announced as a renewal', async () => {
  const pebble = await anAuthority()
  const box = kept(await autoBox(pebble))
  await box.apply(aSite({ domains: [host], files: page }))
  await box.serve()
  const first = await untilName(box, host, (name) => isActive(name) && name.certificate?.renewal.window !== null)
  const connection = openConnection(box.databaseFile)
  const pair = await new SqliteCertificateStore(connection).read(host)
  connection.raw.close()
  const past = { start: new Date(Date.now() - 7_200_000), end: new Date(Date.now() - 3_600_000) }
  const leaf = /-----BEGIN[\s\S]*?-----END CERTIFICATE-----\n/.exec(pair?.certificate ?? '')?.[0] ?? ''
  await pebble.setRenewalInfo(leaf, JSON.stringify({ suggestedWindow: past }))
  // As if its Retry-After had passed.
  change(box, 'UPDATE certificate SET ask_at = 0')
  const second = await untilName(box, host, ({ certificate }) => certificate?.serial !== first.certificate?.serial)
  expect(second).toMatchObject({ state: 'active' })
  expect((await keptOrders(box)).map(({ isAnnounced, outcome }) => [isAnnounced, outcome])).toEqual([
    [false, 'issued'],
    [true, 'issued'],
  ])
  const serialInUse = async () => {
    using client = await TlsClient.open(443, host, { host: pebble.address })
    return client.serialNumber.toLowerCase()
  }
  await eventually('it is in use', async () => (await serialInUse()) === second.certificate?.serial)
})

test.concurrent('a certificate whose key is damaged is replaced when the service starts', async () => {
  const pebble = await anAuthority()
  const box = kept(await autoBox(pebble))
  await box.apply(aSite({ domains: [host], files: page }))
  const server = await box.serve()
  const first = await untilName(box, host, isActive)
  await server.stop()
  change(box, `UPDATE certificate SET key = 'sealed:damaged'`)
  await box.serve()
  await untilName(box, host, ({ certificate }) => certificate?.serial !== first.certificate?.serial)
  const root = await pebble.issuingRoot()
  await eventually('it is in use', async () => (await visit(pebble, { host, root }).catch(() => null))?.status === 200)
})

test.concurrent('a box that is restored from a backup has its certificates, and orders nothing', async () => {
  const pebble = await anAuthority()
  const box = kept(await autoBox(pebble))
  await box.apply(aSite({ domains: [host], files: page }))
  const server = await box.serve()
  await untilName(box, host, (name) => isActive(name) && name.certificate?.renewal.window !== null)
  await server.stop()
  const file = join(box.dir, 'backup.tar')
  await box.done(['backup', file])
  rmSync(box.dataDir, { recursive: true })
  await box.done(['restore', file])
  const before = await keptOrders(box)
  await box.serve()
  const root = await pebble.issuingRoot()
  expect(await visit(pebble, { host, root })).toEqual({ status: 200, text: 'Hello' })
  await pointHere(pebble, ['second.acme-launch.dev'])
  await box.apply(aSite({ domains: [host, 'second.acme-launch.dev'], files: page }))
  await untilName(box, 'second.acme-launch.dev', isActive)
  expect((await keptOrders(box)).slice(before.length).map(({ host }) => host)).toEqual(['second.acme-launch.dev'])
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

test.concurrent('a name that is disconnected is shown no certificate any more, which is kept for its return', async () => {
  const pebble = await anAuthority()
  await pointHere(pebble, ['second.acme-launch.dev'])
  const box = kept(await autoBox(pebble))
  await box.apply(aSite({ domains: [host, 'second.acme-launch.dev'], files: page }))
  await box.serve()
  await untilName(box, host, isActive)
  await untilName(box, 'second.acme-launch.dev', isActive)
  const root = await pebble.issuingRoot()
  await eventually('both are served', async () => {
    const answers = [host, 'second.acme-launch.dev'].map((each) => visit(pebble, { host: each, root }))
    return (await Promise.all(answers)).every((answer) => answer?.status === 200)
  })
  await box.apply(aSite({ domains: [host], files: page }))
  const removed = await untilName(box, 'second.acme-launch.dev', ({ removedAt }) => removedAt !== null)
  expect(removed.certificate).not.toBeNull()
  await eventually(
    'it is not shown',
    async () => (await visit(pebble, { host: 'second.acme-launch.dev', root })) === null,
  )
  await box.apply(aSite({ domains: [host, 'second.acme-launch.dev'], files: page }))
  await eventually(
    'it is shown',
    async () => (await visit(pebble, { host: 'second.acme-launch.dev', root }))?.status === 200,
  )
  expect(await keptOrders(box)).toHaveLength(2)
})
