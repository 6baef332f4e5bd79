import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ASite, aSite, writeSite } from '../harness/a-site.ts'
import { type ApiCalled, apiOf, newToken } from '../harness/api-call.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { zipOf } from '../harness/zips.ts'

type Retention = NonNullable<ASite['retention']>

const kept: Retention = { submissions: '3y', refused: '30d' }

let box: Box
const callers = new Map<string, ReturnType<typeof apiOf>>()
beforeAll(async () => {
  box = await Box.start([aSite({ retention: kept })], { console: { listen: '127.0.0.1:0' } })
  for (const role of ['admin', 'editor']) {
    const visitor = new ConsoleVisitor(box)
    await visitor.accept(
      await ConsoleVisitor.invite(box, [`${role}@acme.example`, '--account', 'acme', '--role', role]),
    )
    callers.set(role, apiOf(box, visitor))
  }
  for (const scope of ['publish', 'publish,admin', 'read,publish,release,erase']) {
    for (const reach of [['--account', 'acme'], ['--box']] as const)
      callers.set(`${reach[0]} ${scope}`, apiOf(box, await newToken(box, ...reach, '--scope', scope)))
  }
}, boxStartMsMax)
afterAll(() => box.stop())

const call = (caller: string) => callers.get(caller) ?? (() => Promise.reject(new Error(caller)))

function apply(caller: string, sent: ASite, path: string): Promise<ApiCalled> {
  const folder = join(box.dir, 'sent', crypto.randomUUID())
  writeSite(folder, sent)
  const content = zipOf({ 'site.toml': readFileSync(join(folder, 'site.toml')) })
  return call(caller)('POST', path, { text: { type: 'application/zip', content } })
}

const planned = (caller: string, retention: Retention) =>
  apply(caller, aSite({ retention }), '/accounts/acme/apply?dryRun=true')

const shorter: { what: string; retention: Retention; named: string }[] = [
  { what: 'a shorter term of submissions', retention: { ...kept, submissions: '1d' }, named: 'retention.submissions' },
  { what: 'a first term of events', retention: { ...kept, events: '100y' }, named: 'retention.events' },
  { what: 'a shorter term of quarantine', retention: { ...kept, refused: '1d' }, named: 'retention.refused' },
]

const lacking = ['--account publish', '--account read,publish,release,erase', '--box publish', 'editor']
test.each(shorter.flatMap((row) => lacking.map((caller) => ({ ...row, caller }))))(
  '$what by $caller is refused, and its dry run says why',
  async ({ caller, retention, named }) => {
    const before = (await box.run(['account', 'show', 'acme', '--json'])).stdout
    const refused = await apply(caller, aSite({ retention }), '/accounts/acme/apply')
    const { code, message } = refused.body.error as { code: string; message: string }
    expect([refused.status, code]).toEqual([403, 'forbidden'])
    expect(message).toContain(`This deletes records sooner: ${named}.`)
    expect((await box.run(['account', 'show', 'acme', '--json'])).stdout).toBe(before)

    const plan = await planned(caller, retention)
    expect(message).toBe(`${(plan.body.notAllowed as { message: string }).message} Nothing was changed.`)
  },
)

const able = ['--account publish,admin', '--box publish,admin', 'admin']
test.each(shorter.flatMap((row) => able.map((caller) => ({ ...row, caller }))))(
  '$what by $caller would be published',
  async ({ caller, retention }) => {
    const { status, body } = await planned(caller, retention)
    expect([status, body.notAllowed]).toEqual([200, undefined])
  },
)

describe('a token that may publish', () => {
  test('may lengthen a term', async () => {
    const { status, body } = await planned('--account publish', { refused: '60d' })
    expect([status, body.notAllowed]).toEqual([200, undefined])
  })

  test('may give a new account any', async () => {
    const { status } = await apply(
      '--box publish',
      aSite({ account: 'fresh', retention: { submissions: '1d' } }),
      '/accounts/apply?dryRun=true',
    )
    expect(status).toBe(200)
  })

  test('cannot shorten one in site.toml', async () => {
    const read = await call('--account read,publish,release,erase')('GET', '/accounts/acme/site.toml')
    const content = read.text.replace('"3y"', '"1d"')
    const sent = await call('--account publish')('PUT', '/accounts/acme/site.toml', {
      text: { type: 'application/toml', content },
      headers: { 'if-match': read.headers.get('etag') ?? '' },
    })
    expect([sent.status, sent.text]).toEqual([403, expect.stringContaining('retention.submissions')])
  })
})

test('the audit log names the terms that were shortened', async () => {
  expect(
    (await apply('admin', aSite({ retention: { ...kept, submissions: '2y' } }), '/accounts/acme/apply')).status,
  ).toBe(200)
  const owner = apiOf(box, await ConsoleVisitor.owner(box))
  const [entry] = (await owner('GET', '/audit?q=account.apply')).body.items as { after: { shorterTerms: string[] } }[]
  expect(entry?.after.shorterTerms).toEqual(['submissions'])
})
