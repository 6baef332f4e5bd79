import { expect, test } from 'bun:test'
import { connect } from 'node:tls'
import { aSite } from '../harness/a-site.ts'
import { sendRequest } from '../harness/http.ts'
import { RawConnection } from '../harness/raw-http.ts'
import { getRequest } from './harness/requests.ts'
import { secureBox, securePorts } from './harness/secure-box.ts'
import { TlsClient } from './harness/tls-client.ts'

// Keys of [https] as visitors meet them (docs/https.md).

const host = 'go.acme.test'
const site = aSite({ files: { 'pages/launch.html': 'Hello' } })

test('redirect = false serves the site over plain HTTP too, and hsts = "0" sends no header', async () => {
  await using box = await secureBox([host], { https: { redirect: false, hsts: '0' } })
  await box.apply(site)
  const { http, https } = securePorts(await box.serve())
  expect(await sendRequest(http, getRequest('/launch'))).toMatchObject({ status: 200, text: 'Hello' })
  using client = await TlsClient.open(https, host)
  client.say(`GET /launch HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
  const answer = await client.answer()
  expect(answer?.status).toBe(200)
  expect(answer?.headers.has('strict-transport-security')).toBe(false)
})

test('[::] listens for both families, and the box finds its own certificates there', async () => {
  await using box = await secureBox([host], { https: { listen: '[::]:0', http_listen: '[::]:0' } })
  await box.apply(site)
  const server = await box.serve()
  const { http, https } = securePorts(server)
  for (const address of ['127.0.0.1', '::1']) {
    expect(await certificateShownAt(address, https)).toBe(host)
    const family = address.includes(':') ? `[${address}]` : address
    const { status } = await fetch(`http://${family}:${http}/launch`, { headers: { host }, redirect: 'manual' })
    expect([address, status]).toEqual([address, 308])
  }
  await server.says('stderr', /serves its new certificates/)
})

test('who dribbles a handshake, or stays silent after one, is cut', async () => {
  await using box = await secureBox([host])
  await box.apply(site)
  const { https } = securePorts(await box.serve())
  using silent = await TlsClient.open(https, host)
  using dribbling = await RawConnection.open(https)
  const hello = String.fromCharCode(22, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3)
  await dribbling.say(hello)
  // More often than any limit for a silent connection: only one for the handshake as a whole ends it.
  const drip = setInterval(() => void dribbling.say('\u0007'), 500)
  try {
    await dribbling.closed()
  } finally {
    clearInterval(drip)
  }
  expect(await silent.answer()).toBeNull()
})

async function certificateShownAt(address: string, port: number): Promise<unknown> {
  const socket = connect({ host: address, port, servername: host, rejectUnauthorized: false })
  try {
    await new Promise((resolve, reject) => {
      socket.once('secureConnect', resolve)
      socket.once('error', reject)
    })
    return socket.getPeerCertificate().subject.CN
  } finally {
    socket.destroy()
  }
}
