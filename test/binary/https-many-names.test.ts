import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { makeCertificate } from '../harness/certificates.ts'
import { buildMsMax } from '../harness/executable.ts'
import type { BinaryBox } from './harness/binary-box.ts'
import { startSenders } from './harness/http2-senders.ts'
import type { RunningServer } from './harness/program.ts'
import { putCertificate, secureBox, securePorts } from './harness/secure-box.ts'
import { migratesHandshakes, TlsClient } from './harness/tls-client.ts'
import { startVisitors } from './harness/tls-visitors.ts'

// 300 names on one box, and certificates that change under load (docs/https.md).

const accounts = ['acme', 'bold', 'calm']
const namesEach = 100
const changedAtOnce = 20
/** Connections that post over HTTP/2. */
const senders = 6

const hostsOf = (account: string) => Array.from({ length: namesEach }, (_, n) => `go${n}.${account}.test`)
const hosts = accounts.flatMap(hostsOf)

/** Published, with a certificate of each name. Each test serves it. */
let box: BinaryBox
beforeAll(async () => {
  box = await secureBox(hosts)
  for (const account of accounts) await publish(box, account, 'Before')
}, buildMsMax)
afterAll(() => box[Symbol.asyncDispose]())

test('certificates of 300 names change under load: no page and no form is lost, and each form is stored once', async () => {
  await using server = await box.serve()
  const port = securePorts(server).https
  await serving(server, hosts.length)

  const visitors = startVisitors(port, hosts)
  const posting = startSenders(port, hosts.slice(0, senders))
  await visitors.moreAnswers(100)
  for (const host of hosts.slice(0, changedAtOnce)) putCertificate(box, host, makeCertificate(host))
  await publish(box, 'acme', 'Under load')
  await serving(server, hosts.length + changedAtOnce)
  await visitors.moreAnswers(100)
  const sent = await posting.stop()
  const { lost, resetHandshakes } = await visitors.stop()
  expect({ lost, sent: sent.lost }).toEqual({ lost: 0, sent: [] })
  if (migratesHandshakes()) expect(resetHandshakes).toBe(0)
  expect(sent.accepted).toBeGreaterThan(0)
  expect(await box.submissions()).toHaveLength(sent.accepted)
})

test('one pair that breaks, of 300, leaves every other as it was, and its own last good one', async () => {
  await using server = await box.serve()
  const port = securePorts(server).https
  await serving(server, hosts.length)
  const [broken = '', changed = ''] = hosts
  const serialsBefore = await serials(port, [broken, changed, hosts.at(-1) ?? ''])
  putCertificate(box, broken, { certificate: 'nothing', key: '' })
  putCertificate(box, changed, makeCertificate(changed))
  await publish(box, 'acme', 'Broken')
  await serving(server, hosts.length + 1)
  const serialsAfter = await serials(port, [broken, changed, hosts.at(-1) ?? ''])
  expect(serialsAfter.map((serial, n) => serial === serialsBefore[n])).toEqual([true, false, true])
  expect(server.stderr).toContain(
    `The certificate of ${broken} cannot be used: the certificate is not PEM ("-----BEGIN CERTIFICATE-----"). The last good one stays in use.`.replaceAll(
      '"',
      '\\"',
    ),
  )
})

/** Waits until the service has said of so many certificates in all that visitors get them; one look may find any part of them. */
const serving = (server: RunningServer, certificates: number) =>
  server.saysSo('stderr', `that it serves ${certificates} certificates`, (text) => {
    const looks = text.matchAll(/"The box serves its new certificates\.","names":(\d+)/g)
    const names = looks.reduce((sum, [, count]) => sum + Number(count), 0)
    return names >= certificates || null
  })

/** Publishing makes the service look at its folder; another name each time makes it a change. */
const publish = (box: BinaryBox, account: string, time: string) =>
  box.apply(
    aSite({
      account,
      name: `${account} ${time}`,
      domains: hostsOf(account),
      files: { 'pages/launch.html': 'Hello' },
    }),
  )

const serials = (port: number, of: string[]) =>
  Promise.all(
    of.map(async (host) => {
      using client = await TlsClient.open(port, host)
      return client.serialNumber
    }),
  )
