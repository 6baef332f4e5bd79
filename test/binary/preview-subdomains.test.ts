// docs/previews.md and docs/https.md: a host for each account's previews, and its certificate.
import { describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { makeCertificate } from '../harness/certificates.ts'
import { eventually } from '../harness/eventually.ts'
import { startPebble } from '../harness/pebble.ts'
import { autoBox, isActive, keptName, pointHere, untilName } from './harness/auto-box.ts'
import type { BinaryBox } from './harness/binary-box.ts'
import { putCertificate, secureBox, securePorts } from './harness/secure-box.ts'
import { TlsClient } from './harness/tls-client.ts'

const previewHost = 'preview.acme-launch.dev'
const ofAcme = `acme.${previewHost}`
const server = { preview_host: previewHost, preview_subdomains: true }
const site = aSite({
  domains: ['go.acme-launch.dev'],
  files: { 'pages/draft.html': 'The draft' },
  previews: ['pages/draft.html'],
})

const address = async (box: BinaryBox) => new URL((await box.done(['preview', 'acme', 'page', 'draft'])).trim())

/** The page that a host shows over https, and whose certificate. */
async function opened(port: number, url: URL) {
  using client = await TlsClient.open(port, url.hostname)
  client.say(`GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`)
  return { body: (await client.answer())?.body, certificateOf: client.certificateOf }
}

describe('the host of an account’s previews', () => {
  test('has the certificate for all names beside it, in mode files', async () => {
    await using box = await secureBox([], { server })
    putCertificate(box, `_.${previewHost}`, makeCertificate(`*.${previewHost}`))
    await box.apply(site)
    const { https } = securePorts(await box.serve())
    const url = await address(box)
    expect(url.hostname).toBe(ofAcme)
    expect(await opened(https, url)).toEqual({ body: 'The draft', certificateOf: `*.${previewHost}` })
  })

  test('gets a certificate of its own in mode auto, once there is the account', async () => {
    await using pebble = await startPebble({ httpPort: 80 })
    await pointHere(pebble, [ofAcme, `bold.${previewHost}`, previewHost, ...site.domains])
    await using box = await autoBox(pebble, { server })
    await box.apply(site)
    await box.serve()
    await untilName(box, ofAcme, isActive)
    expect(await keptName(box, `bold.${previewHost}`)).toBeNull()
    const rows = JSON.parse(await box.done(['domain', 'list', '--json'])) as { host: string }[]
    expect(rows.find(({ host }) => host === ofAcme)).toMatchObject({ account: 'acme', use: 'preview', state: 'active' })
    await eventually('it is in use', async () => {
      const url = await address(box)
      const answer = await fetch(`https://${pebble.address}${url.pathname}${url.search}`, {
        headers: { host: url.hostname },
        tls: { serverName: url.hostname, ca: await pebble.issuingRoot() },
        keepalive: false,
      }).catch(() => null)
      return (await answer?.text()) === 'The draft'
    })
    await box.apply({ ...site, account: 'bold', domains: ['go.bold-launch.dev'] })
    await untilName(box, `bold.${previewHost}`, isActive)
  })
})
