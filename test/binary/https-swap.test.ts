import { expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { makeCertificate } from '../harness/certificates.ts'
import type { BinaryBox } from './harness/binary-box.ts'
import { putCertificate, secureBox, securePorts } from './harness/secure-box.ts'
import { migratesHandshakes, TlsClient } from './harness/tls-client.ts'
import { startVisitors } from './harness/tls-visitors.ts'

// A change of certificates loses no request; neither does a stop (docs/https.md, "When certificates change").

const host = 'go.acme.test'
const request = `GET /launch HTTP/1.1\r\nhost: ${host}\r\n\r\n`
const swaps = 2

test('certificates change under load, and no request is lost', async () => {
  await using box = await secureBox([host])
  await publish(box, 0)
  await using server = await box.serve()
  const { https } = securePorts(server)
  const load = startVisitors(https, [host])
  const serials = [await serialAt(https)]
  for (let swap = 1; swap <= swaps; swap++) {
    await load.moreAnswers(100)
    putCertificate(box, host, makeCertificate(host))
    await publish(box, swap)
    serials.push(await unseenSerial(https, serials))
  }
  await server.says('stderr', new RegExp(`(?:old certificates have ended[^]*){${swaps}}`))
  const changed = `(?:certificates in use have changed[^]*){${swaps}}`
  await server.says('stderr', new RegExp(`${changed}serves its new certificates`))
  const { answers, lost, resetHandshakes } = await load.stop()
  expect(new Set(serials).size).toBe(swaps + 1)
  expect(answers).toBeGreaterThan(200)
  expect(lost).toBe(0)
  // The kernel drops handshakes that wait where a listener closes, unless it may hand them to the one beside it.
  if (migratesHandshakes()) expect(resetHandshakes).toBe(0)
})

test('somebody else who answers on the port is noticed, and said with the host', async () => {
  await using box = await secureBox([host])
  await publish(box, 0)
  await using server = await box.serve()
  const { https } = securePorts(server)
  await server.says('stderr', /serves its new certificates/)
  const foreign = makeCertificate(host)
  const others = Array.from({ length: 8 }, () =>
    Bun.serve({
      hostname: '127.0.0.1',
      port: https,
      reusePort: true,
      tls: { cert: foreign.certificate, key: foreign.key },
      fetch: () => new Response('not Capture'),
    }),
  )
  try {
    // One handshake in nine meets the box itself; another certificate each time is asked for anew.
    for (let time = 1; !server.stderr.includes('showed another one'); time++) {
      putCertificate(box, host, makeCertificate(host))
      await publish(box, time)
      await server.says('stderr', new RegExp(`(?:old certificates have ended[^]*){${time}}`))
    }
    expect(server.stderr).toContain(`Visitors of https://${host} may get a wrong certificate`)
  } finally {
    await Promise.all(others.map((other) => other.stop(true)))
  }
})

test('a request that is half sent over https when it is told to stop is still answered', async () => {
  await using box = await secureBox([host])
  await publish(box, 0)
  await using server = await box.serve()
  using client = await TlsClient.open(securePorts(server).https, host)
  client.say(request)
  expect((await client.answer())?.status).toBe(200)
  const body = JSON.stringify({ email: 'ada@example.test' })
  client.say(
    `POST /_svc/f/contact1 HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n{`,
  )
  // What was said before has been read once this is answered.
  await server.send({ method: 'GET', host, path: '/', headers: {}, body: null })
  server.signal('SIGTERM')
  await server.says('stderr', /Stopping/)
  client.say(body.slice(1))
  expect((await client.answer())?.status).toBe(200)
  expect(await server.ended()).toEqual({ status: 0, signal: null })
  expect(await box.submissions()).toHaveLength(1)
})

/** Publishing makes the service look at its folder; another name each time makes it a change. */
const publish = (box: BinaryBox, time: number) =>
  box.apply(aSite({ name: `Acme ${time}`, files: { 'pages/launch.html': 'Hello' } }))

async function serialAt(port: number): Promise<string> {
  using client = await TlsClient.open(port, host)
  return client.serialNumber
}

/** While one generation drains, both answer. */
async function unseenSerial(port: number, seen: string[]): Promise<string> {
  for (;;) {
    const serial = await serialAt(port).catch(() => '')
    if (serial !== '' && !seen.includes(serial)) return serial
    await Bun.sleep(50)
  }
}
