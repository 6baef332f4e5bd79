import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { aSite } from '../harness/a-site.ts'
import { makeCertificate } from '../harness/certificates.ts'
import { buildMsMax } from '../harness/executable.ts'
import { sendRequest } from '../harness/http.ts'
import type { BinaryBox } from './harness/binary-box.ts'
import { opensslHandshake } from './harness/openssl.ts'
import type { RunningServer } from './harness/program.ts'
import { getRequest } from './harness/requests.ts'
import { putCertificate, type SecurePorts, secureBox, securePorts } from './harness/secure-box.ts'
import { TlsClient } from './harness/tls-client.ts'

// [https] mode = "files" (docs/https.md).

const host = 'go.acme.test'
/** Connected, and without a certificate. */
const bareHost = 'new.acme.test'
const page = { 'pages/launch.html': 'Hello' }
const halfOpenHandshakes = 200

let box: BinaryBox
let server: RunningServer
let ports: SecurePorts

beforeAll(async () => {
  box = await secureBox([host], { https: { hsts: '180d' } })
  putCertificate(box, 'stranger.test', makeCertificate('stranger.test'))
  putCertificate(box, 'broken.acme.test', makeCertificate('elsewhere.test'))
  await box.apply(aSite({ domains: [host, bareHost, 'broken.acme.test'], files: page }))
  server = await box.serve()
  ports = securePorts(server)
}, buildMsMax)

afterAll(async () => {
  await box[Symbol.asyncDispose]()
})

/** One request over https, by the handshake's name and the request's host. */
async function ask({ servername = host, asked = host, path = '/launch', headers = {} as Record<string, string> } = {}) {
  using client = await TlsClient.open(ports.https, servername)
  const lines = Object.entries({ host: asked, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  client.say(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return { certificateOf: client.certificateOf, answer: await client.answer() }
}

describe('a request is answered as over plain HTTP', () => {
  const asked = (path: string, method: string) =>
    fetch(`https://127.0.0.1:${ports.https}${path}`, {
      method,
      headers: { host },
      tls: { serverName: host, rejectUnauthorized: false },
    })

  test('HEAD: with the length of the page', async () => {
    const answer = await asked('/launch', 'HEAD')
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '5', ''])
  })

  test.each(['/%zz', '/_svc/c/%zz'])('malformed percent-encoding is 404: %s', async (path) => {
    expect((await asked(path, 'GET')).status).toBe(404)
  })
})

describe('a handshake', () => {
  test('for a host with a certificate is shown it', async () => {
    const { certificateOf, answer } = await ask()
    expect(certificateOf).toBe(host)
    expect(answer).toMatchObject({ status: 200, body: 'Hello' })
  })

  test.each([
    ['without a name', ''],
    ['for an unknown host', 'unknown.test'],
    ['for a host of the folder that no account has', 'stranger.test'],
  ])('%s is shown no customer, and answered a bare 404', async (_, servername) => {
    const { certificateOf, answer } = await ask({ servername, asked: servername || '127.0.0.1' })
    expect(certificateOf).toBe('capture.invalid')
    expect(answer).toMatchObject({ status: 404, body: '' })
  })

  test.each([bareHost, 'broken.acme.test'])(
    'for %s, which has no good certificate, leads to its site',
    async (name) => {
      const { certificateOf, answer } = await ask({ servername: name, asked: name })
      expect(certificateOf).toBe('capture.invalid')
      expect(answer).toMatchObject({ status: 200, body: 'Hello' })
    },
  )

  test.each(['-tls1', '-tls1_1'])('with %s is refused', async (version) => {
    const { stdout, stderr } = await opensslHandshake(ports.https, [version, '-cipher', 'ALL:@SECLEVEL=0'])
    expect(stdout).toContain('Cipher is (NONE)')
    expect(stderr).toContain('alert protocol version')
  })

  test.each(['-tls1_2', '-tls1_3'])('with %s is taken', async (version) => {
    expect((await opensslHandshake(ports.https, [version])).stdout).toMatch(/Cipher is [A-Z]+/)
  })

  test('that is garbage, or never ends, keeps nobody else from being served', async () => {
    const sockets = Array.from({ length: halfOpenHandshakes }, (_, number) => {
      const socket = connect(ports.https, '127.0.0.1')
      socket.on('error', () => {})
      // The first bytes of a ClientHello that announces more than ever comes; every other one is no TLS at all.
      socket.write(number % 2 === 0 ? Uint8Array.of(22, 3, 1, 2, 0, 1) : 'GET / HTTP/1.1\r\n\r\n')
      return socket
    })
    await Promise.all(
      sockets.map((socket) => (socket.connecting ? new Promise((done) => socket.once('connect', done)) : null)),
    )
    expect((await ask()).answer?.status).toBe(200)
    for (const socket of sockets) socket.destroy()
    expect((await ask()).answer?.status).toBe(200)
  })
})

describe('over https', () => {
  test('the identity cookie is the one that no other host and no plain HTTP can set', async () => {
    const { answer } = await ask()
    expect(answer?.headers.get('set-cookie')).toMatch(/^__Host-svc_id=.*; Secure$/)
  })

  test('browsers are told to use https from then on, for this host only', async () => {
    const { answer } = await ask()
    expect(answer?.headers.get('strict-transport-security')).toBe('max-age=15552000')
  })

  test.each([bareHost, 'unknown.test'])('but not for %s, which has no certificate', async (asked) => {
    const { answer } = await ask({ asked })
    expect(answer?.headers.has('strict-transport-security')).toBe(false)
  })

  test('the own origin is https, with the port that was asked', async () => {
    const origin = `https://${host}:${ports.https}`
    const sent = { asked: `${host}:${ports.https}`, path: '/_svc/rc', headers: { origin } }
    expect((await ask(sent)).answer?.body).toContain('"originAuthorised":true')
    const overHttp = { ...sent, headers: { origin: origin.replace('https', 'http') } }
    expect((await ask(overHttp)).answer?.body).toContain('"originAuthorised":false')
  })

  test('forwarding headers are not believed', async () => {
    const headers = { 'x-forwarded-host': 'unknown.test', 'x-forwarded-proto': 'http' }
    const { answer } = await ask({ headers })
    expect(answer?.headers.get('set-cookie')).toStartWith('__Host-svc_id=')
  })

  test('HTTP/2 is spoken', async () => {
    const resolve = ['--resolve', `${host}:${ports.https}:127.0.0.1`]
    const argv = ['-sk', '--http2', '-w', ' %{http_version}', ...resolve, `https://${host}:${ports.https}/launch`]
    const curl = Bun.spawn(['curl', ...argv], { stdout: 'pipe' })
    expect(await curl.stdout.text()).toBe('Hello 2')
  })
})

describe('plain HTTP beside it', () => {
  const plain = (sent: Parameters<typeof sendRequest>[1]) => sendRequest(ports.http, sent)

  test('sends visitors of a host with a certificate on, path, query and all', async () => {
    const { status, headers } = await plain(getRequest('/launch?a=1&b=%2F'))
    expect(status).toBe(308)
    expect(headers.has('strict-transport-security')).toBe(false)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('location')).toBe(`https://${host}:${ports.https}/launch?a=1&b=%2F`)
  })

  test('sends a form on too, in a way that keeps method and body', async () => {
    const { status } = await plain({ ...getRequest('/_svc/f/contact1'), method: 'POST', body: '{}' })
    expect(status).toBe(308)
  })

  test('does not send on who proves that a host is ours', async () => {
    expect((await plain(getRequest('/.well-known/acme-challenge/token'))).status).toBe(404)
  })

  test('serves the site of a host without a certificate', async () => {
    const { status, text, headers } = await plain({ ...getRequest('/launch'), host: bareHost })
    expect({ status, text }).toEqual({ status: 200, text: 'Hello' })
    expect(headers.get('set-cookie')).toStartWith('svc_id=')
  })

  test('knows no other host', async () => {
    expect(await plain({ ...getRequest('/'), host: 'unknown.test' })).toMatchObject({ status: 404, text: '' })
  })
})

test('[server] listen stays what it is', async () => {
  expect(await server.send(getRequest('/launch'))).toMatchObject({ status: 200, text: 'Hello' })
})

test('the log names the host of a bad pair', () => {
  expect(server.stderr).toContain(
    'The certificate of broken.acme.test cannot be used: the certificate is for elsewhere.test',
  )
})

test('printed addresses begin with https', async () => {
  expect(await box.done(['page', 'list', 'acme'])).toContain(`https://${host}`)
})

test('a second box cannot share the port, and its error says who has it', async () => {
  await using other = await secureBox([], { https: { listen: `127.0.0.1:${ports.https}` } })
  const { status, stderr } = await other.run(['serve'])
  expect(status).toBe(1)
  expect(stderr).toContain(`127.0.0.1:${ports.https} is taken: capture (process ${server.pid}) listens there.`)
  expect(stderr).toContain('[https] listen')
})

test('with [server] listen and http_listen closed, https alone answers', async () => {
  await using closed = await secureBox([host], { server: { listen: '' }, https: { http_listen: '' } })
  await closed.apply(aSite({ files: page }))
  const alone = closed.start(['serve'])
  await using _ = alone
  const [, port] = await alone.says('stderr', /"Listening for https\.".*?"port":(\d+)/)
  using client = await TlsClient.open(Number(port), host)
  client.say(`GET /launch HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
  expect(await client.answer()).toMatchObject({ status: 200 })
  expect(alone.stderr).not.toContain('"Listening for http beside it."')
})
