// docs/identity.md over the wire: from a visitor's requests to the persons that are exported.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PersonRecord } from '../../src/report/person-reader.ts'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { cookieOf } from '../harness/identity.ts'
import { pageViewsOf } from '../harness/page-views.ts'
import { visit } from '../harness/visits.ts'

let box: Box
beforeAll(async () => {
  const files = { 'pages/launch.html': '<h1>Launch</h1>' }
  box = await Box.start([aSite({ files }), aSite({ account: 'beta', files })])
}, boxStartMsMax)
afterAll(() => box.stop())

async function persons(account = 'acme'): Promise<PersonRecord[]> {
  const { stdout } = await box.run(['export', account, 'persons'])
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

async function personNamed(email: string, account?: string): Promise<PersonRecord> {
  const person = (await persons(account)).find((one) => one.email === email)
  if (person === undefined) throw new Error(`nobody is exported as ${email}`)
  return person
}

/** A browser that has opened the landing page: what its later requests carry. */
async function aVisitor(name: string, query = ''): Promise<{ cookie: string }> {
  const answer = await box.send(visit(`/launch?visitor=${name}${query}`))
  await pageViewsOf(box, `visitor=${name}`, 1)
  return { cookie: cookieOf(answer) }
}

const identify = (traits: object, headers: Record<string, string> = {}) =>
  eventRequest({ headers, events: [{ event: '$identify', traits }] })

test('a visitor who sends a form is a person with everything their device did', async () => {
  const headers = await aVisitor('one', '&utm_source=newsletter&utm_medium=email')
  await box.send(
    eventRequest({ headers, events: [{ event: 'plan_chosen' }, { event: '$identify', traits: { plan: 'pro' } }] }),
  )
  const submissionId = submissionIdOf(await box.send(formRequest({ headers, fields: { email: ' Visitor@ACME.test' } })))
  await box.send(eventRequest({ headers, events: [{ event: 'thanks_seen' }] }))

  const submission = (await box.submissions()).find((record) => record.submissionId === submissionId)
  const person = await personNamed('visitor@acme.test')
  expect(person).toMatchObject({
    traits: { plan: 'pro' },
    deviceIds: [submission?.deviceId],
    attribution: { first: { source: 'newsletter', medium: 'email' } },
    submissions: 1,
    events: 4,
    lastSeenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  expect(submission).toMatchObject({
    personId: person.personId,
    attribution: { first: { source: 'newsletter' }, last: { source: 'newsletter' } },
    page: { slug: 'launch' },
  })
  const own = (await box.events()).filter(({ deviceId }) => deviceId === submission?.deviceId)
  expect(own.map(({ event, personId }) => [event, personId])).toEqual(
    ['$pageview', 'plan_chosen', '$identify', 'thanks_seen'].map((event) => [event, person.personId]),
  )
})

test('a device that changes hands keeps what it did with whom it did it', async () => {
  const headers = await aVisitor('two')
  await box.send(identify({ email: 'first@acme.test' }, headers))
  await box.send(eventRequest({ headers, events: [{ event: 'by_first' }] }))
  await box.send(formRequest({ headers, fields: { email: 'second@acme.test' } }))
  await box.send(eventRequest({ headers, events: [{ event: 'by_second' }] }))
  const [first, second] = [await personNamed('first@acme.test'), await personNamed('second@acme.test')]
  expect([first.events, first.submissions, second.events, second.submissions]).toEqual([3, 0, 1, 1])
  const owners = (await box.events()).flatMap(({ event, personId }) =>
    event.startsWith('by_') ? [[event, personId]] : [],
  )
  expect(owners).toEqual([
    ['by_first', first.personId],
    ['by_second', second.personId],
  ])
})

test('a server that sends a form without any cookie makes a person known', async () => {
  await box.send(formRequest({ headers: { origin: null }, fields: { email: 'server@acme.test' } }))
  expect(await personNamed('server@acme.test')).toMatchObject({ deviceIds: [], submissions: 1, events: 0 })
})

test('a refused submission makes nobody known, and is nobody’s', async () => {
  const refused = await box.send(formRequest({ fields: { email: 'robot@acme.test', _hp: 'filled' } }))
  expect(refused.status).toBe(403)
  expect((await persons()).map(({ email }) => email)).not.toContain('robot@acme.test')
  const kept = (await box.submissions()).find(({ identity }) => identity.email === 'robot@acme.test')
  expect(kept).toMatchObject({ status: 'refused', personId: null })
})

test('one address in two accounts is two persons', async () => {
  for (const account of ['acme', 'beta']) {
    await box.send(formRequest({ account, fields: { email: 'both@shared.test' } }))
  }
  const [ours, theirs] = [await personNamed('both@shared.test'), await personNamed('both@shared.test', 'beta')]
  expect([ours.submissions, theirs.submissions]).toEqual([1, 1])
  expect(ours.personId).not.toBe(theirs.personId)
  expect((await persons('beta')).map(({ email }) => email)).toEqual(['both@shared.test'])
})
