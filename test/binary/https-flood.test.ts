import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { aSite } from '../harness/a-site.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { secureBox, securePorts } from './harness/secure-box.ts'
import { TlsClient } from './harness/tls-client.ts'

// Handshakes that are begun and never ended (docs/https.md).

const host = 'go.acme.test'
const floodOf = 2000
/** A record of 512 bytes is announced, a ClientHello of 508 begins, and no more of it comes. */
const halfHello = Uint8Array.of(22, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, ...Array(200).fill(7))

test('2,000 half-open handshakes keep nobody from being answered, and their descriptors come back', async () => {
  await using box = await secureBox([host])
  await box.apply(aSite({ files: { 'pages/launch.html': 'Hello' } }))
  await using server = await box.serve()
  const { https } = securePorts(server)
  const descriptors = () => readdirSync(`/proc/${server.pid}/fd`).length
  const before = descriptors()
  const flood = await Promise.all(Array.from({ length: floodOf }, () => halfOpen(https)))
  await eventually('most of them are held', async () => descriptors() > before + floodOf / 2)
  try {
    for (let visit = 0; visit < 20; visit++) {
      using client = await TlsClient.open(https, host)
      client.say(`GET /launch HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
      expect((await client.answer())?.status).toBe(200)
      expect((await server.send(formRequest())).status).toBe(200)
    }
    // Nobody hangs up but the box.
    await Promise.all(flood.map(({ closed }) => closed))
    // The box may have opened a file or two of its own meanwhile.
    await eventually('the descriptors are back', async () => descriptors() < before + floodOf / 100)
  } finally {
    for (const { socket } of flood) socket.destroy()
  }
})

async function halfOpen(port: number) {
  const socket = connect(port, '127.0.0.1')
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  socket.resume()
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  socket.write(halfHello)
  return { socket, closed }
}
