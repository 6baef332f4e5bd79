// Whoever walks through a list page by page gets each item once, in the order of the whole list.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor, password } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'

let box: Box
let owner: ConsoleVisitor
let submission: string
beforeAll(async () => {
  const deliveries = ['one', 'two', 'three'].map((name) => ({
    name,
    kind: 'webhook',
    url: 'https://crm.example.test/',
  }))
  const forms = ['contact1', 'contact2', 'contact3'].map((id) => aForm({ id }))
  const files = Object.fromEntries(
    ['a', 'b', 'c'].flatMap((name) => [
      [`pages/${name}.html`, '<!doctype html><title>x</title>'],
      [`assets/${name}.css`, ''],
    ]),
  )
  const site = aSite({ forms, deliveries, files, domains: ['a.acme.test', 'b.acme.test', 'go.acme.test'] })
  const others = ['another', 'other'].map((account) => aSite({ account }))
  const dropped = { ...site, domains: [...site.domains, 'x.acme.test', 'y.acme.test', 'z.acme.test'] }
  box = await Box.start([dropped, ...others], { console: { listen: '127.0.0.1:0' } })
  await box.apply(site)
  for (const email of ['ada@example.test', 'ben@example.test', 'eve@example.test'])
    submission = submissionIdOf(await box.send(formRequest({ fields: { email } })))
  for (const origin of ['one', 'two', 'three'])
    await box.send(formRequest({ headers: { origin: `https://${origin}.test` } }))
  for (const name of ['first', 'second', 'third'])
    await box.run(['token', 'create', '--name', name, '--box', '--scope', 'read', '--expires', '1d'])
  for (const suffix of ['one.test', 'three.test', 'two.test'])
    await box.run(['account', 'domains', 'acme', '--add', suffix])
  await ConsoleVisitor.owner(box)
  await ConsoleVisitor.owner(box)
  const email = 'owner@agency.example'
  owner = new ConsoleVisitor(box)
  await owner.accept(await ConsoleVisitor.invite(box, [email, '--owner']))
  await new ConsoleVisitor(box).send('POST', '/sign-in', { email, password, code: owner.code(1), to: '/' })
  for (let number = 1; number <= 3; number++) {
    await posted('/accounts/acme/report/share', {})
    await posted(`/accounts/acme/submissions/${submission}/notes`, { text: `Note ${number}` })
  }
  for (const counted of ['persons', 'refusals'])
    await eventually('all is counted', async () => (await listed(`/accounts/acme/${counted}`)).items.length >= 3)
}, boxStartMsMax)
afterAll(() => box.stop())

interface Listed {
  items: Record<string, unknown>[]
  next: string | null
}

const posted = (path: string, body: object) => owner.sendJson('POST', `/api/v1${path}`, body)

const listed = async (path: string): Promise<Listed> => JSON.parse((await owner.get(`/api/v1${path}`)).text)

/** Every list of the OpenAPI document, with the least of its items that it has to have here. */
const lists: [path: string, least: number][] = [
  ['/accounts', 3],
  ['/accounts/acme/assets', 3],
  ['/accounts/acme/deliveries', 9],
  ['/accounts/acme/destinations', 3],
  ['/accounts/acme/domains', 3],
  ['/accounts/acme/forms', 3],
  ['/accounts/acme/keys', 1],
  ['/accounts/acme/pages', 3],
  ['/accounts/acme/persons', 3],
  ['/accounts/acme/refusals', 3],
  ['/accounts/acme/report/share', 3],
  ['/accounts/acme/submissions', 3],
  ['/accounts/acme/suffixes', 3],
  ['/accounts/acme/submissions/SUBMISSION/notes', 3],
  ['/accounts/acme/users', 0],
  ['/audit', 3],
  ['/backups', 0],
  ['/domains', 3],
  ['/domains/reserved', 3],
  ['/sessions', 2],
  ['/tokens', 3],
  ['/users', 3],
]

test('every list of the API is among these', async () => {
  const { paths } = JSON.parse((await owner.get('/api/v1/openapi.json')).text)
  const known = Object.entries<{ get?: { parameters?: { name: string }[] } }>(paths).flatMap(([path, { get }]) =>
    get?.parameters?.some(({ name }) => name === 'cursor') ? [path] : [],
  )
  const named = lists.map(([path]) => path.replace('acme', '{account}').replace('SUBMISSION', '{submission}'))
  expect(known.toSorted()).toEqual(named.toSorted())
})

test.each(lists)('%s is walked through one item at a time', async (path, least) => {
  const place = path.replace('SUBMISSION', submission)
  const whole = (await listed(`${place}?limit=1000`)).items
  expect(whole.length).toBeGreaterThanOrEqual(least)
  const walked: Listed['items'] = []
  for (let next: string | null = ''; next !== null && walked.length <= whole.length; ) {
    const page: Listed = await listed(`${place}?limit=1${next === '' ? '' : `&cursor=${next}`}`)
    walked.push(...page.items)
    next = page.next
  }
  expect(walked.map(nameOf)).toEqual(whole.map(nameOf))
})

test('the audit log refuses a cursor that names no entry', async () => {
  const cursor = Buffer.from('zzz').toString('base64url')
  expect((await owner.get(`/api/v1/audit?cursor=${cursor}`)).status).toBe(422)
})

/** Without what changes from one look to the next. */
const nameOf = ({ lastUsedAt: _, attempts: __, nextAt: ___, lastError: ____, ...item }: Record<string, unknown>) =>
  JSON.stringify(item)
