import { afterAll, beforeAll, expect, test } from 'bun:test'
import { base32Bytes, totpCode } from '../../src/console/sign-in/totp.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax } from '../harness/executable.ts'
import type { BinaryBox } from './harness/binary-box.ts'
import type { RunningServer } from './harness/program.ts'
import { getRequest } from './harness/requests.ts'
import { type SecurePorts, secureBox, securePorts } from './harness/secure-box.ts'
import { SlowClient } from './harness/slow-client.ts'

// The console at its own name over https (docs/console.md).

const host = 'console.agency.test'
const password = 'correct horse battery staple'
/** How often the service is stopped until this process was quick enough to end a form within its nine seconds. */
const triesMax = 10
/** A form, half of it sent: an answer under way, which a service that stops gives nine seconds. */
const form = JSON.stringify({ email: 'ada@example.test' })
const halfForm = `POST /_svc/f/contact1 HTTP/1.1\r\nhost: go.acme.test\r\ncontent-type: application/json\r\ncontent-length: ${form.length}\r\n\r\n{`

let box: BinaryBox
let server: RunningServer
let ports: SecurePorts

beforeAll(async () => {
  box = await secureBox(['go.acme.test', host], { https: { hsts: '180d' }, console: { host, listen: '' } })
  await box.apply(aSite({ forms: [aForm()] }))
  server = await box.serve()
  ports = securePorts(server)
}, buildMsMax)
afterAll(async () => {
  await box[Symbol.asyncDispose]()
})

const ask = (path: string, { cookie = '', body }: { cookie?: string; body?: URLSearchParams } = {}) =>
  fetch(`https://127.0.0.1:${ports.https}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { host, cookie, 'sec-fetch-site': 'same-origin' },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    tls: { serverName: host, rejectUnauthorized: false },
  })

test('the console is for https alone for a year, whatever is said of sites', async () => {
  const hsts = async (host: string) => {
    const answer = await fetch(`https://127.0.0.1:${ports.https}/sign-in`, {
      headers: { host },
      tls: { serverName: host, rejectUnauthorized: false },
    })
    return answer.headers.get('strict-transport-security')
  }
  expect([await hsts(host), await hsts('go.acme.test')]).toEqual(['max-age=31536000', 'max-age=15552000'])
})

test('the console lets an invited owner in, shows pages, and does not hold up a stop by what is live', async () => {
  const cookie = await acceptedInvitation()
  const inbox = await ask('/a/acme', { cookie })
  expect([inbox.status, await inbox.text()]).toEqual([200, expect.stringContaining('<h1>Inbox</h1>')])
  let isAnswered = false
  for (let tries = 0; !isAnswered && tries < triesMax; tries++) isAnswered = await answersBesideLive(cookie)
  expect(isAnswered).toBe(true)
})

async function acceptedInvitation(): Promise<string> {
  const { stdout } = await box.run(['user', 'invite', 'owner@agency.example', '--owner', '--json'])
  const { pathname } = new URL((JSON.parse(stdout) as { link: string }).link)
  // A request waits ten seconds for the console's thread, which a busy machine may take longer to start.
  await eventually('the console has started', async () => (await ask('/sign-in')).status !== 503)
  const [, key = ''] = /name="totp" value="([A-Z2-7]+)"/.exec(await (await ask(pathname)).text()) ?? []
  let cookie = ''
  // A code is good for a minute and a half, of which a busy machine may take more.
  await eventually('a code is accepted in time', async () => {
    const code = totpCode(base32Bytes(key) ?? new Uint8Array(), Math.floor(Date.now() / 30_000))
    const fields = new URLSearchParams({ totp: key, password, again: password, code })
    const accepted = await ask(pathname, { body: fields })
    cookie = (accepted.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    return cookie !== ''
  })
  expect(cookie).toStartWith('__Host-')
  return cookie
}

/** Stops the service while somebody watches the console. @returns whether it answered a form that ended meanwhile */
async function answersBesideLive(cookie: string): Promise<boolean> {
  await eventually('the console has started', async () => (await ask('/sign-in')).status !== 503)
  const live = await ask('/a/acme/live', { cookie })
  expect(live.headers.get('content-type')).toBe('text/event-stream')
  const left = live.text().catch(() => 'cut')
  using visitor = await SlowClient.open(server.port)
  visitor.say(halfForm)
  // The service reads in order of arrival: it has the half once this is answered.
  await server.send(getRequest('/'))
  server.signal('SIGTERM')
  expect(await left).toMatch(/cut|retry/)
  visitor.say(form.slice(1))
  const answer = await visitor.rest()
  expect(await server.ended()).toEqual({ status: 0, signal: null })
  server = await box.serve()
  ports = securePorts(server)
  return answer.startsWith('HTTP/1.1 200 ')
}
