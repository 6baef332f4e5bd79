import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { makeChain } from '../harness/certificate-chain.ts'
import { certificateWith } from '../harness/certificates.ts'
import { buildMsMax } from '../harness/executable.ts'
import { RawConnection } from '../harness/raw-http.ts'
import type { BinaryBox } from './harness/binary-box.ts'
import { opensslHandshake } from './harness/openssl.ts'
import { putCertificate, secureBox, securePorts } from './harness/secure-box.ts'
import { TlsClient } from './harness/tls-client.ts'

// What a handshake may ask for, and what it is answered (docs/https.md).

const host = 'go.acme.test'
const rsaHost = 'rsa.acme.test'
const idnHost = 'xn--bcher-kva.acme.test'
const otherHost = 'go.other.test'
const chain = makeChain(host)
const page = { 'pages/launch.html': 'Hello' }

let box: BinaryBox
let port = 0

beforeAll(async () => {
  box = await secureBox([idnHost, otherHost])
  putCertificate(box, host, chain)
  putCertificate(box, rsaHost, certificateWith(['-newkey', 'rsa:2048'], rsaHost))
  writeFileSync(join(box.dir, 'root.pem'), chain.root)
  await box.apply(aSite({ domains: [host, rsaHost, idnHost], files: page }))
  await box.apply(aSite({ account: 'other', files: { 'pages/launch.html': 'Hello from the other' } }))
  port = securePorts(await box.serve()).https
}, buildMsMax)

afterAll(async () => {
  await box[Symbol.asyncDispose]()
})

const shake = async (...options: string[]) => (await opensslHandshake(port, options)).stdout

test('the chain is sent whole: who trusts its root alone is satisfied', async () => {
  const said = await shake('-servername', host, '-verify_hostname', host, '-CAfile', join(box.dir, 'root.pem'))
  expect(said).toContain('Verify return code: 0 (ok)')
})

describe('a name', () => {
  test.each([
    ['in upper case', host.toUpperCase(), host],
    ['with a trailing dot', `${host}.`, host],
    ['with characters beyond ASCII, as they are sent', idnHost, idnHost],
  ])('%s is shown its certificate', async (_, servername, shown) => {
    expect(await shake('-servername', servername)).toContain(`subject=CN = ${shown}\n`)
  })

  test.each([
    ['of another level', `www.${host}`],
    ['that a name of ours begins with', 'go.acme.tes'],
  ])('%s is not', async (_, servername) => {
    expect(await shake('-servername', servername)).toContain('subject=CN = capture.invalid\n')
  })
})

describe('with TLS 1.2', () => {
  const accepts = async (servername: string, cipher: string) =>
    !(await shake('-tls1_2', '-servername', servername, '-cipher', `${cipher}:@SECLEVEL=0`)).includes(
      'Cipher is (NONE)',
    )

  test.each([
    [host, 'ECDHE-ECDSA-AES128-GCM-SHA256'],
    [host, 'ECDHE-ECDSA-AES256-GCM-SHA384'],
    [host, 'ECDHE-ECDSA-CHACHA20-POLY1305'],
    [rsaHost, 'ECDHE-RSA-AES128-GCM-SHA256'],
    [rsaHost, 'ECDHE-RSA-AES256-GCM-SHA384'],
    [rsaHost, 'ECDHE-RSA-CHACHA20-POLY1305'],
  ])('%s accepts %s', async (servername, cipher) => {
    expect(await accepts(servername, cipher)).toBe(true)
  })

  test.each([
    ['CBC', host, 'ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA:ECDHE-ECDSA-AES128-SHA256'],
    ['CBC, with an RSA key', rsaHost, 'ECDHE-RSA-AES128-SHA:ECDHE-RSA-AES256-SHA'],
    ['no forward secrecy', rsaHost, 'AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA:AES256-SHA'],
    ['no key at all', host, 'aNULL:eNULL'],
  ])('ciphers with %s are refused', async (_, servername, ciphers) => {
    expect(await accepts(servername, ciphers)).toBe(false)
  })

  test('a client cannot negotiate anew', async () => {
    // "R" on a line of its own asks for it.
    const { stderr } = await opensslHandshake(port, ['-tls1_2', '-servername', host], 'echo R; sleep 5')
    expect(stderr).toContain('no renegotiation')
  })
})

describe('of the protocols above TLS', () => {
  test.each([
    ['h2', 'h2,http/1.1', 'ALPN protocol: h2'],
    ['http/1.1', 'http/1.1', 'ALPN protocol: http/1.1'],
    ['http/1.1 beside an unknown one', 'gopher/3,http/1.1', 'ALPN protocol: http/1.1'],
    ['none but an unknown one', 'gopher/3', 'No ALPN negotiated'],
  ])('%s is answered so', async (_, offered, chosen) => {
    expect(await shake('-servername', host, '-alpn', offered)).toContain(chosen)
  })

  test('http2 = false leaves HTTP/1.1', async () => {
    await using plainer = await secureBox([host], { https: { http2: false } })
    await plainer.apply(aSite({ files: page }))
    await using server = await plainer.serve()
    const offered = ['-servername', host, '-alpn', 'h2,http/1.1']
    const { stdout } = await opensslHandshake(securePorts(server).https, offered)
    expect(stdout).toContain('No ALPN negotiated')
  })
})

test('the host that a request names decides whose site it is, whatever the handshake named', async () => {
  using client = await TlsClient.open(port, host)
  client.say(`GET /launch HTTP/1.1\r\nhost: ${otherHost}\r\n\r\n`)
  expect((await client.answer())?.body).toBe('Hello from the other')
  client.say(`GET /launch HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
  expect((await client.answer())?.body).toBe('Hello')
})

test.each([
  ['noise', Array.from({ length: 500 }, (_, at) => (at * 89 + 7) % 256)],
  ['plain HTTP', [...Buffer.from('GET / HTTP/1.1\r\n\r\n')]],
  ['an SSL 2 hello', [0x80, 0x2e, 1, 3, 1, 0, 0x15, 0, 0, 0, 0x10, ...Array(37).fill(5)]],
  ['a record that is too long', [22, 3, 1, 0xff, 0xff, ...Array(65_535).fill(0)]],
  ['a message that would be 16 MB', [22, 3, 1, 0x40, 0, 1, 0xff, 0xff, 0xff, ...Array(16_380).fill(0)]],
  ['thousands of empty records', Array(10_000).fill([22, 3, 1, 0, 0]).flat()],
])('%s in place of a handshake ends that connection, and no other', async (_, bytes) => {
  using client = await TlsClient.open(port, host)
  using rough = await RawConnection.open(port)
  await rough.say(Buffer.from(bytes).toString('latin1'))
  // At most an alert, seven bytes (RFC 8446 section 6).
  expect((await rough.closed()).length).toBeLessThanOrEqual(7)
  client.say(`GET /launch HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
  expect((await client.answer())?.status).toBe(200)
})
