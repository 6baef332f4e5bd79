import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openPages, pages } from '../../src/console/page/pages.ts'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

let box: Box
let owner: ConsoleVisitor
let submission: string
beforeAll(async () => {
  box = await Box.start([aSite()], { console: { listen: '127.0.0.1:0' } })
  submission = submissionIdOf(await box.send(formRequest()))
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

const addressOf = (path: string): string =>
  path.replace(':account', 'acme').replace(':submission', submission).replaceAll(/:\w+/g, 'x')

describe('a form that another site sends', () => {
  const acting = pages.filter(({ forms }) => forms !== undefined).map(({ path }) => [path])
  test.each(acting)('to %s is refused, though its sender is signed in', async (path) => {
    const statuses = []
    for (const site of ['cross-site', 'same-site', 'none']) {
      statuses.push((await owner.send('POST', addressOf(path), {}, { 'sec-fetch-site': site })).status)
    }
    expect(statuses).toEqual([403, 403, 403])
  })

  const open = openPages.filter(({ act }) => act !== undefined).map(({ path }) => [path])
  test.each(open)('to %s is refused', async (path) => {
    const { status } = await new ConsoleVisitor(box).send(
      'POST',
      addressOf(path),
      {},
      { 'sec-fetch-site': 'cross-site' },
    )
    expect([400, 403, 410]).toContain(status)
  })
})

describe('an answer of a passkey', () => {
  test.each([
    {},
    { credential: null },
    { credential: 'text' },
    { credential: { id: { a: 1 } } },
    { credential: { id: 'x' } },
  ])('as %j is refused, and is no fault of the service', async (sent) => {
    const toSignIn = await new ConsoleVisitor(box).sendJson('POST', '/sign-in/passkey', sent)
    const toProve = await owner.sendJson('POST', '/prove/passkey', sent)
    expect([toSignIn.status, toProve.status]).toEqual([403, 403])
  })
})

/** What a page answers first: a stream goes on. */
async function opened(path: string, { cookie }: ConsoleVisitor): Promise<{ status: number; headers: Headers }> {
  const ending = new AbortController()
  const { status, headers } = await fetch(`http://127.0.0.1:${box.consolePort}${addressOf(path)}`, {
    headers: { host: 'localhost', 'sec-fetch-site': 'same-origin', cookie },
    redirect: 'manual',
    signal: ending.signal,
  })
  ending.abort()
  return { status, headers }
}

describe('a page', () => {
  const shown = pages.map(({ path }) => [path])
  test.each(shown)('at %s is kept by no cache, framed by nobody, and runs no script but ours', async (path) => {
    const { headers } = await opened(path, owner)
    const policy = headers.get('content-security-policy') ?? ''
    expect(headers.get('cache-control')).toBe('no-store')
    if (!headers.get('content-type')?.startsWith('text/html')) return
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toMatch(/default-src 'none'; script-src 'self';/)
    expect(policy).not.toContain('unsafe')
  })

  test.each(shown)('at %s is for those who are signed in', async (path) => {
    const { status, headers } = await opened(path, new ConsoleVisitor(box))
    expect({ status, to: headers.get('location')?.split('?')[0] }).toEqual({ status: 303, to: '/sign-in' })
  })
})

describe('a sign-in', () => {
  test('uses no session that was planted before', async () => {
    const visitor = new ConsoleVisitor(box)
    const planted = `${owner.cookie.split('=')[0]}=${'A'.repeat(43)}`
    visitor.cookie = planted
    await visitor.accept(await ConsoleVisitor.invite(box, ['planted@agency.example', '--owner']))
    expect(visitor.cookie).not.toBe(planted)
    const attacker = new ConsoleVisitor(box)
    attacker.cookie = planted
    expect((await attacker.get('/me')).status).toBe(303)
  })
})
