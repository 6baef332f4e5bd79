import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ASite, aSite, writeSite } from '../harness/a-site.ts'
import { apiOf, newToken } from '../harness/api-call.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { humanToken, startVerificationServer, type VerificationServer } from '../harness/verification-server.ts'
import { zipOf } from '../harness/zips.ts'

let provider: VerificationServer
let box: Box
let open: Box
beforeAll(async () => {
  provider = startVerificationServer()
  const listening = { console: { listen: '127.0.0.1:0' } }
  box = await Box.start([verifiedBy(provider.url), aSite({ account: 'other', domains: ['go.other.test'] })], listening)
  open = await Box.start([aSite()], { ...listening, delivery: { allow_private: ['127.0.0.0/8'] } })
}, boxStartMsMax)
afterAll(async () => {
  provider[Symbol.dispose]()
  await Promise.all([box.stop(), open.stop()])
})

const verifiedBy = (verify_url: string, overrides: Partial<ASite> = {}): ASite =>
  aSite({
    bot_check: { provider: 'turnstile', sitekey: 'k', secret: 's', required: true, verify_url },
    ...overrides,
  })

/** Applies with the right for everything, by a token or a user. */
async function applied(to: Box, site: ASite, by: 'token' | 'owner' = 'token') {
  const folder = join(to.dir, 'sent', crypto.randomUUID())
  writeSite(folder, site)
  const paths = ['site.toml', ...Object.keys(site.files)]
  const content = zipOf(Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path))])))
  const caller =
    by === 'owner' ? await ConsoleVisitor.owner(to) : await newToken(to, '--box', '--scope', 'publish,admin')
  return apiOf(to, caller)('POST', `/accounts/${site.account}/apply`, { text: { type: 'application/zip', content } })
}

const other = (verify_url: string) => verifiedBy(verify_url, { account: 'other', domains: ['go.other.test'] })

const submit = (to: Box, token: string) =>
  to.send(formRequest({ fields: { email: 'a@example.com', 'botcheck-response': token } }))

describe('verify_url', () => {
  const within = () => [
    provider.url,
    'http://localhost:9/verify',
    'https://127.0.0.1/verify',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/verify',
    'https://[::ffff:127.0.0.1]/verify',
    'https://2130706433/verify',
  ]

  test.each(['token', 'owner'] as const)('within networks is a fault in a folder that a %s brings', async (by) => {
    for (const url of within()) {
      const { status, text } = await applied(box, other(url), by)
      expect([url, status, text]).toEqual([url, 422, expect.stringContaining('nothing is sent there')])
      expect(text).toContain('bot_check.verify_url')
    }
    expect(provider.asked).toEqual([])
  })

  test.each(['https://169.254.169.254/latest/meta-data', 'https://10.0.0.1/verify'])(
    'within networks is a fault on the box too: %s',
    async (url) => {
      const folder = join(box.dir, 'on-the-box')
      writeSite(folder, other(url))
      const { status, stderr } = await box.run(['apply', folder])
      expect([status, stderr]).toEqual([1, expect.stringContaining('bot_check.verify_url: nothing is sent there')])
    },
  )

  test('on this machine works where a command on the box has said so, also after a token applied the same', async () => {
    expect((await submit(box, humanToken)).status).toBe(200)
    const changed = await applied(box, verifiedBy(provider.url, { name: 'Acme, renamed' }))
    expect([changed.status, changed.text]).toEqual([200, expect.stringContaining('"settings"')])
    expect((await submit(box, humanToken)).status).toBe(200)
    expect((await submit(box, 'robot')).status).toBe(403)
  })

  test('on this machine works from a token where [delivery] allow_private has it', async () => {
    expect((await applied(open, verifiedBy(provider.url))).status).toBe(200)
    expect((await submit(open, humanToken)).status).toBe(200)
  })
})
