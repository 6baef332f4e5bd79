import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { becomesLive } from '../harness/publishing.ts'

let box: Box
let owner: ConsoleVisitor
beforeAll(async () => {
  box = await Box.start([], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

/** The titles of a guide's steps by whether they are done, and which is to be taken now. */
const stepsOf = (text: string) =>
  [...text.matchAll(/<li class="(done|next|open)"[^>]*><h3>([^<]+?) ?</g)].map(
    ([, state, title]) => `${state}: ${title}`,
  )

const steps = async (path: string, visitor = owner) => stepsOf((await visitor.get(path)).text)

const becomes = (path: string, expected: string[]) =>
  eventually(`${path} says ${expected.join(', ')}`, async () => Bun.deepEquals(await steps(path), expected))

const start = aSite({ forms: [], files: { 'pages/launch.html': '<p>one</p>' }, previews: ['pages/launch.html'] })

// One way through a box, from its first account to its first lead: each test goes on where the one before has ended.
test('an empty box greets its owner with the way to the first account', async () => {
  const { text } = await owner.get('/')
  expect(text).toContain('This box is empty')
  expect(text).toContain('href="/publish"')
  expect(stepsOf(text).map((step) => step.split(':')[0])).toEqual(['next', 'open', 'open', 'open'])
})

test('a new account is told what is left, on its inbox and, being the only one, on the overview', async () => {
  await box.apply(start)
  const expected = [
    'next: Publish a page',
    'open: Point the domain to this box',
    'open: Add a form',
    'open: Put the form and the script on the website',
    'open: Send a lead yourself',
  ]
  expect(await steps('/a/acme')).toEqual(expected)
  expect(await steps('/')).toEqual(['done: Make the first account', ...expected])
  expect((await owner.get('/a/acme')).text).toContain('1 page in preview')
})

test('a page that is live is a step done', async () => {
  await box.run(['page', 'publish', 'acme', 'launch'])
  const { text } = await owner.get('/a/acme')
  expect(stepsOf(text).slice(0, 2)).toEqual(['done: Publish a page', 'next: Point the domain to this box'])
  expect(text.match(/<a class="button" href="[^"]+">[^<]+/g)).toEqual([
    '<a class="button" href="/a/acme/domains">See what go.acme.test needs',
  ])
})

test('a visit over the domain shows that it leads here', async () => {
  const visit = { method: 'GET', host: 'go.acme.test', path: '/launch', headers: {}, body: null }
  await becomesLive(box, visit, { status: 200 })
  await becomes('/a/acme', [
    'done: Publish a page',
    'done: Point the domain to this box',
    'next: Add a form',
    'open: Put the form and the script on the website',
    'open: Send a lead yourself',
  ])
})

test('a form, and then an event of the script, are steps done', async () => {
  await box.apply({ ...start, forms: [aForm()], previews: [] })
  expect((await steps('/a/acme')).slice(2, 4)).toEqual([
    'done: Add a form',
    'next: Put the form and the script on the website',
  ])
  await box.send(eventRequest())
  await becomes('/a/acme', [
    'done: Publish a page',
    'done: Point the domain to this box',
    'done: Add a form',
    'done: Put the form and the script on the website',
    'next: Send a lead yourself',
  ])
})

test('a viewer, who could do none of it, is told nothing of it', async () => {
  const viewer = new ConsoleVisitor(box)
  const link = await ConsoleVisitor.invite(box, ['viewer@agency.example', '--account', 'acme', '--role', 'viewer'])
  await viewer.accept(link)
  expect(await steps('/a/acme', viewer)).toEqual([])
  expect((await viewer.get('/a/acme')).text).toContain('<h2>No leads yet</h2>')
  expect(await steps('/', viewer)).toEqual([])
})

test('the first lead ends the guide', async () => {
  await box.send(formRequest())
  await becomes('/a/acme', [])
  expect(await steps('/')).toEqual([])
})

test('an account whose website is elsewhere needs no page of its own', async () => {
  await box.apply(aSite({ account: 'script-only' }))
  expect((await steps('/a/script-only'))[0]).toBe('next: Publish a page')
  const event = eventRequest({ account: 'script-only' })
  await eventually('the domain is connected', async () => (await box.send(event)).status < 300)
  await becomes('/a/script-only', [
    'done: Publish a page',
    'done: Point the domain to this box',
    'done: Add a form',
    'done: Put the form and the script on the website',
    'next: Send a lead yourself',
  ])
})
