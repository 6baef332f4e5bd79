// docs/identity.md, "First and last touch", from a visitor's requests to the export.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { SubmissionRecord } from '../../../src/report/record.ts'
import { aSite } from '../../harness/a-site.ts'
import { Box, boxStartMsMax } from '../../harness/box.ts'
import { eventRequest, formRequest } from '../../harness/capture-requests.ts'
import { cookieHeaderOf } from '../../harness/cookies.ts'
import { pageViewsOf } from '../../harness/page-views.ts'
import { visit } from '../../harness/visits.ts'

let box: Box

beforeAll(async () => {
  box = await Box.start([aSite({ files: { 'pages/launch.html': '<h1>Launch</h1>' } })])
}, boxStartMsMax)

afterAll(() => box.stop())

/** Views the page, each time from another site, as one browser; answers its cookie once the views are recorded. */
async function views(mark: string, seen: { query?: string; referer?: string }[]): Promise<string> {
  let cookie: string | null = null
  for (const [index, { query = '', referer = null }] of seen.entries()) {
    const answer = await box.send(visit(`/launch?mark=${mark}${query}`, { headers: { referer, cookie } }))
    cookie ??= cookieHeaderOf(answer)
    await pageViewsOf(box, mark, index + 1)
  }
  return cookie ?? ''
}

async function submitted(cookie: string | null, email: string): Promise<SubmissionRecord> {
  const answer = await box.send(formRequest({ headers: { cookie }, fields: { email } }))
  expect(answer.status).toBe(200)
  const found = (await box.submissions()).find(({ identity }) => identity.email === email)
  if (found === undefined) throw new Error('the submission is not in the export')
  return found
}

test('a submission carries its device’s first and last touch', async () => {
  const cookie = await views('ab', [
    { referer: 'https://www.google.de/' },
    { query: '&utm_source=Newsletter&utm_medium=email&utm_campaign=Spring' },
    { referer: 'https://www.acme.test/pricing' },
  ])
  const { attribution } = await submitted(cookie, 'ada@acme.test')
  expect(attribution.first).toMatchObject({
    via: 'page_view',
    source: 'google',
    medium: 'organic',
    referrer: 'https://www.google.de/',
  })
  expect(attribution.last).toMatchObject({ source: 'newsletter', medium: 'email', campaign: 'Spring', referrer: null })
})

test('a visitor whom nothing led here came directly', async () => {
  const { attribution } = await submitted(await views('cd', [{}, {}]), 'bob@acme.test')
  expect(attribution.first).toMatchObject({ source: 'direct', medium: 'none' })
  expect(attribution.last).toEqual(attribution.first)
})

test('an event on the account’s own site tells of its campaign, and not of the site', async () => {
  const cookie = await views('ef', [{ referer: 'https://partner.example/' }])
  const referer = 'https://www.acme.test/pricing'
  const told = [{ event: 'plan_chosen', properties: { url: `${referer}?gclid=Abc` } }, { event: 'liked' }]
  await box.send(eventRequest({ headers: { cookie, referer }, events: told }))
  const { attribution } = await submitted(cookie, 'cyd@acme.test')
  expect(attribution.first).toMatchObject({ source: 'partner.example', medium: 'referral' })
  expect(attribution.last).toMatchObject({ via: 'event', source: 'google', medium: 'cpc', clickIds: { gclid: 'Abc' } })
})

test('a page view says which other site led to it; of a whole address there only its origin goes further', async () => {
  const referrer = 'https://zoe:secret@Search.partner.example:8443/zoe@acme.test?email=zoe%40acme.test&q=shoes#top'
  const url = 'https://www.acme.test/pricing'
  const answer = await box.send(eventRequest({ events: [{ event: '$pageview', properties: { url, referrer } }] }))
  const { attribution } = await submitted(cookieHeaderOf(answer), 'eve@acme.test')
  expect(attribution.first).toMatchObject({
    via: 'event',
    source: 'search.partner.example',
    medium: 'referral',
    referrer: 'https://search.partner.example:8443/',
  })
  const sent = (await box.events()).find(({ properties }) => properties.referrer !== undefined)
  expect(sent?.properties.referrer).toBe(referrer)
  expect(JSON.stringify([attribution, sent?.attribution])).not.toMatch(/zoe|secret|shoes|top/)
})

test('a submission without a device carries none', async () => {
  expect((await submitted(null, 'dee@acme.test')).attribution).toEqual({ first: null, last: null })
})
