import { expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { aSite } from '../harness/a-site.ts'
import { makeCertificate } from '../harness/certificates.ts'
import { eventually } from '../harness/eventually.ts'
import { type ExposedFamily, parseExposition } from '../harness/exposition.ts'
import { sendRequest } from '../harness/http.ts'
import { getRequest } from './harness/requests.ts'
import { putCertificate, secureBox, securePorts } from './harness/secure-box.ts'

// What /metrics says of https (docs/monitoring.md).

const host = 'go.acme.test'
const laterHost = 'new.acme.test'

test('the certificates in use and the redirects to https can be watched', async () => {
  await using box = await secureBox([])
  const pair = makeCertificate(host)
  putCertificate(box, host, pair)
  const site = { domains: [host, laterHost], files: { 'pages/launch.html': 'Hello' } }
  await box.apply(aSite(site))
  await using server = await box.serve({ CAPTURE_OPERATOR_LISTEN: '127.0.0.1:0' })
  const [, port] = await server.says('stderr', /"Listening for the operator\.".*"port":(\d+)/)
  const scraped = async (): Promise<Map<string, ExposedFamily>> =>
    parseExposition(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
  const expiries = async () => (await scraped()).get('capture_certificate_expiry_seconds')?.samples ?? []

  const [expiry, ...others] = await expiries()
  expect(others).toEqual([])
  expect(expiry?.labels).toEqual({ host })
  const leftSeconds = (new X509Certificate(pair.certificate).validToDate.getTime() - Date.now()) / 1000
  expect(Math.abs((expiry?.value ?? 0) - leftSeconds)).toBeLessThan(3600)

  const { http } = securePorts(server)
  expect((await sendRequest(http, getRequest('/launch'))).status).toBe(308)
  const requests = (await scraped()).get('capture_requests')?.samples ?? []
  expect(requests.filter(({ value }) => value > 0).map(({ labels, value }) => [labels, value])).toEqual([
    [{ endpoint: 'redirect', code: '308' }, 1],
  ])

  putCertificate(box, laterHost, makeCertificate(laterHost))
  await box.apply(aSite({ ...site, name: 'Acme once more' }))
  await eventually('the later host is shown too', async () => {
    const hosts = (await expiries()).map(({ labels }) => labels.host)
    return hosts.includes(host) && hosts.includes(laterHost)
  })
})
