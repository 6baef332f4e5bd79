// What the console refuses is counted, and written to the audit log within a budget.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AuditEntry } from '../../src/console/audit/audit-log.ts'
import { type RefusalKind, RefusedTries } from '../../src/console/audit/refused-tries.ts'
import { TokenBuckets } from '../../src/storage/memory/token-buckets.ts'
import { aSite } from '../harness/a-site.ts'
import { apiOf, newToken } from '../harness/api-call.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor, password } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'

const minute = 60_000
const day = 86_400_000

/** Refusals whose clock a test holds. */
function heldTries({ disk }: { disk?: 'full' } = {}) {
  let nowMs = 1000 * day
  const lines: AuditEntry[] = []
  const counted: RefusalKind[] = []
  const clock = { now: () => nowMs, monotonicMs: () => nowMs }
  const tries = new RefusedTries({
    audit: {
      async add(entry) {
        if (disk === 'full') throw new Error('database or disk is full')
        lines.push(entry)
      },
    },
    budgets: new TokenBuckets(clock as never),
    clock,
    onRefusal: (kind) => counted.push(kind),
  })
  return {
    tries,
    lines,
    counted,
    pass: (ms: number) => {
      nowMs += ms
    },
    async flood(count: number, address: string, kind: RefusalKind = 'wrong_password') {
      for (let n = 0; n < count; n++) await tries.note({ kind, endpoint: 'POST /sign-in', address })
    },
  }
}

describe('a flood of refusals', () => {
  test('leaves ten lines a minute for an address, and counts all', async () => {
    const held = heldTries()
    await held.flood(100, '192.0.2.1')
    expect({ lines: held.lines.length, counted: held.counted.length }).toEqual({ lines: 10, counted: 100 })
    held.pass(minute)
    await held.flood(100, '192.0.2.1')
    expect(held.lines).toHaveLength(20)
  })

  test('does not hide what another address tries', async () => {
    const held = heldTries()
    await held.flood(100, '192.0.2.1')
    await held.flood(1, '192.0.2.2')
    expect(held.lines.at(-1)?.address).toBe('192.0.2.2')
  })

  test('from any number of addresses leaves a thousand lines, and then about forty an hour', async () => {
    const held = heldTries()
    const fromMany = async (net: number) => {
      for (let host = 0; host < 2000; host++) await held.flood(1, `10.${net}.${host >> 8}.${host & 255}`)
    }
    await fromMany(1)
    expect(held.lines).toHaveLength(1000)
    held.pass(60 * minute)
    await fromMany(2)
    expect(held.lines).toHaveLength(1041)
  })

  test('is summed up in one line after ten minutes, by kind and address', async () => {
    const held = heldTries()
    await held.flood(15, '192.0.2.1')
    await held.flood(12, '192.0.2.2', 'wrong_token')
    held.pass(10 * minute - 1)
    await held.tries.sumUp()
    expect(held.lines).toHaveLength(20)
    held.pass(1)
    await held.tries.sumUp()
    await held.tries.sumUp()
    expect(held.lines.slice(20)).toMatchObject([
      {
        action: 'refusals.sum',
        outcome: 'refused',
        after: { wrong_password: 5, wrong_token: 2, addresses: ['192.0.2.1: 5', '192.0.2.2: 2'] },
      },
    ])
  })

  test('is summed up when the console ends', async () => {
    const held = heldTries()
    await held.flood(11, '192.0.2.1')
    await held.tries.sumUp({ isLast: true })
    expect(held.lines.at(-1)?.after).toMatchObject({ wrong_password: 1 })
  })

  test('names twenty addresses and counts the others together', async () => {
    const held = heldTries()
    for (let host = 0; host < 25; host++) await held.flood(11, `192.0.2.${host}`)
    await held.tries.sumUp({ isLast: true })
    const named = held.lines.at(-1)?.after?.addresses as string[]
    expect({ count: named.length, last: named.at(-1) }).toEqual({ count: 21, last: 'others: 5' })
  })

  test('that cannot be written is refused all the same', async () => {
    const held = heldTries({ disk: 'full' })
    await held.flood(1, '192.0.2.1')
    expect(held.counted).toEqual(['wrong_password'])
  })
})

interface Line {
  action: string
  actor: { kind: string; label: string }
  address: string
  account: string | null
  subject: string
  outcome: string
  after: unknown
}

describe('at a running console', () => {
  let box: Box
  let owner: ConsoleVisitor
  beforeAll(async () => {
    const sites = [aSite(), aSite({ account: 'other' })]
    box = await Box.start(sites, { console: { listen: '127.0.0.1:0' }, operator: { listen: '127.0.0.1:0' } })
    owner = await ConsoleVisitor.owner(box)
  }, boxStartMsMax)
  afterAll(() => box.stop())

  async function lastLine(): Promise<Line> {
    const { items } = JSON.parse((await owner.get('/api/v1/audit?limit=1')).text)
    const { action, actor, address, account, subject, outcome, after } = items[0]
    return { action, actor: { kind: actor.kind, label: actor.label }, address, account, subject, outcome, after }
  }

  const refused = { outcome: 'refused', address: '127.0.0.1' }
  const nobody = { actor: { kind: 'nobody', label: '' }, account: null }

  async function editor(): Promise<{ visitor: ConsoleVisitor; email: string }> {
    const visitor = new ConsoleVisitor(box)
    const email = `editor-${crypto.randomUUID()}@acme.example`
    await visitor.accept(await ConsoleVisitor.invite(box, [email, '--account', 'acme', '--role', 'editor']))
    return { visitor, email }
  }

  test('a wrong password names the user by id', async () => {
    const { email } = await editor()
    const { items } = JSON.parse((await owner.get('/api/v1/users')).text)
    const { id } = items.find((user: { email: string }) => user.email === email)
    await new ConsoleVisitor(box).send('POST', '/sign-in', { email, password: 'not it', code: '000000', to: '/' })
    const after = { kind: 'wrong_password', endpoint: 'POST /sign-in' }
    expect(await lastLine()).toEqual({ action: 'session.begin', subject: id, ...refused, ...nobody, after })
  })

  test('an unknown user’s address is not written down', async () => {
    const typed = { email: 'my-password-in-the-wrong-field', password, code: '000000', to: '/' }
    await new ConsoleVisitor(box).send('POST', '/sign-in', typed)
    const after = { kind: 'unknown_user', endpoint: 'POST /sign-in' }
    expect(await lastLine()).toEqual({ action: 'session.begin', subject: '', ...refused, ...nobody, after })
  })

  test('a wrong passkey has a line', async () => {
    await new ConsoleVisitor(box).sendJson('POST', '/sign-in/passkey', { credential: {} })
    const after = { kind: 'wrong_passkey', endpoint: 'POST /sign-in/passkey' }
    expect(await lastLine()).toMatchObject({ action: 'session.begin', ...refused, after })
  })

  test('a wrong proof names who is signed in', async () => {
    const { visitor, email } = await editor()
    await visitor.send('POST', '/prove', { password: 'not it', code: '000000' })
    const after = { kind: 'wrong_proof', endpoint: 'POST /prove' }
    expect(await lastLine()).toMatchObject({
      action: 'session.prove',
      ...refused,
      actor: { kind: 'user', label: email },
      after,
    })
  })

  test('a wrong current password is a wrong proof', async () => {
    await owner.send('POST', '/me/password', { current: 'not it', password: 'a tide of quiet lanterns', again: '' })
    const { items } = JSON.parse((await owner.get('/api/v1/audit?q=session.prove&limit=1')).text)
    expect(items).toMatchObject([{ ...refused, after: { kind: 'wrong_proof', endpoint: 'POST /me/password' } }])
    expect((await owner.get('/audit')).text).toContain('wrong password, code or passkey of somebody signed in')
  })

  test('a passkey’s challenges that are used up have a line', async () => {
    const statuses: number[] = []
    while (statuses.at(-1) !== 429 && statuses.length < 1000)
      statuses.push((await new ConsoleVisitor(box).sendJson('POST', '/sign-in/passkey/options', {})).status)
    expect(await lastLine()).toMatchObject({ after: { kind: 'too_many', endpoint: 'POST /sign-in/passkey/options' } })
  })

  test('a revoked token is named by its id, an unknown one not at all', async () => {
    const { token } = await newToken(box, '--box', '--scope', 'read')
    const { items } = JSON.parse((await owner.get('/api/v1/tokens')).text)
    const { id } = items[0]
    await owner.send('DELETE', `/api/v1/tokens/${id}`)
    await apiOf(box, { token })('GET', '/accounts')
    const after = { kind: 'wrong_token', endpoint: 'GET /api/v1/accounts' }
    expect(await lastLine()).toEqual({ action: 'token.use', subject: id, ...refused, ...nobody, after })
    await apiOf(box, { token: 'cap_typed' })('GET', '/accounts')
    expect(await lastLine()).toEqual({ action: 'token.use', subject: '', ...refused, ...nobody, after })
  })

  test('a call that the scope does not allow names the token and the account', async () => {
    const caller = await newToken(box, '--account', 'acme', '--scope', 'read')
    await apiOf(box, caller)('POST', '/accounts/acme/keys/rotate', { json: {} })
    expect(await lastLine()).toMatchObject({
      action: 'access.try',
      ...refused,
      actor: { kind: 'token', label: 'test' },
      account: 'acme',
      after: { kind: 'forbidden', endpoint: 'POST /api/v1/accounts/:account/keys/rotate' },
    })
  })

  test.each(['other', 'nothing-of-this-name'])(
    'so does a call to the account %s, in which the token has no part',
    async (account) => {
      const caller = await newToken(box, '--account', 'acme', '--scope', 'read')
      await apiOf(box, caller)('GET', `/accounts/${account}/submissions`)
      expect(await lastLine()).toMatchObject({
        action: 'access.try',
        account: account === 'other' ? 'other' : null,
        after: { kind: 'forbidden', endpoint: 'GET /api/v1/accounts/:account/submissions' },
      })
    },
  )

  test.each([
    ['/a/acme/remove', 'GET', '/a/:account/remove', 'acme'],
    ['/a/acme/settings', 'POST', '/a/:account/settings', 'acme'],
    ['/a/other/keys', 'GET', '/a/:account/keys', 'other'],
    ['/audit', 'GET', '/audit', null],
  ])('a page that is not for the role: %s', async (path, method, declared, account) => {
    const { visitor, email } = await editor()
    await visitor.send(method, path, method === 'POST' ? { act: 'rotate' } : null)
    expect(await lastLine()).toMatchObject({
      action: 'access.try',
      ...refused,
      actor: { kind: 'user', label: email },
      account,
      after: { kind: 'forbidden', endpoint: `${method} ${declared}` },
    })
  })

  test('a form from another website has a line', async () => {
    await owner.send('POST', '/a/acme/settings', { act: 'rotate' }, { 'sec-fetch-site': 'cross-site' })
    expect(await lastLine()).toMatchObject({ after: { kind: 'cross_site', endpoint: 'POST /a/:account/settings' } })
  })

  test('/metrics counts them by kind', async () => {
    await new ConsoleVisitor(box).sendJson('POST', '/sign-in/passkey', { credential: {} })
    await eventually('the refusal is counted', async () =>
      /^capture_console_refusals_total\{kind="wrong_passkey"\} [1-9]/m.test(await box.metrics()),
    )
    expect(await box.metrics()).toContain('capture_console_refusals_total{kind="unknown_user"}')
  })
})
