// Spec, "Event batch request body", rules 3 and 4; docs/events.md, `properties.url`, end to end.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { EventRecord } from '../../src/report/record.ts'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest } from '../harness/capture-requests.ts'

const dropped = [
  '/pricing',
  'www.acme.test/pricing',
  'ftp://www.acme.test/',
  'javascript:alert(1)',
  'mailto:ada@example.test',
  'https://',
  '',
  42,
  null,
  { href: 'https://www.acme.test/' },
]

/** Of each, `https://www.acme.test/a` is left. */
const removed: [what: string, url: string][] = [
  ['user info', 'https://ada:secret@www.acme.test/a'],
  ['the fragment', 'https://www.acme.test/a#ada@example.test'],
  ['an e-mail address', 'https://www.acme.test/a?q=ada@example.test'],
  ['an e-mail address encoded once', 'https://www.acme.test/a?q=ada%40example.test'],
  ['an e-mail address encoded twice', 'https://www.acme.test/a?q=ada%2540example.test'],
  ['a phone number', 'https://www.acme.test/a?q=%2B491701234567'],
  ['a phone number with separators', 'https://www.acme.test/a?q=0170-123-4567'],
  ['a JWT', 'https://www.acme.test/a?q=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
  ['a token of 24 characters', 'https://www.acme.test/a?q=a1b2c3d4e5f6a1b2c3d4e5f6'],
  ['a card number', 'https://www.acme.test/a?q=4111111111111111'],
  ['a parameter named email', 'https://www.acme.test/a?email=x'],
  ['a parameter whose name holds a listed word', 'https://www.acme.test/a?billing_address=x'],
  ['a parameter whose name holds a listed word in camel case', 'https://www.acme.test/a?userPhone=1'],
  ['a parameter named firstname', 'https://www.acme.test/a?firstname=Ada'],
  ['a password', 'https://www.acme.test/a?new-password=x'],
]

const kept: [what: string, url: string][] = [
  ['a bare run of digits', 'https://www.acme.test/a?q=1234567890'],
  ['a UUID', 'https://www.acme.test/a?q=018f3f3e-7d3a-7c11-a7de-9a2b3c4d5e6f'],
  ['a file name', 'https://www.acme.test/a?filename=brochure.pdf'],
  ['a product name', 'https://www.acme.test/a?product_name=chair'],
  ['a campaign name', 'https://www.acme.test/a?campaign_name=spring'],
  ['a token of 23 characters', 'https://www.acme.test/a?q=a1b2c3d4e5f6a1b2c3d4e5f'],
]

let box: Box
let byUrl: Map<string, EventRecord>
let eventsSent = 0

beforeAll(async () => {
  box = await Box.start([aSite()])
  byUrl = await sentAndStored([...dropped, ...[...removed, ...kept].map(([, url]) => url)])
}, boxStartMsMax)

afterAll(() => box.stop())

/** Sends one event with these properties and reads it back. */
async function stored(properties: Record<string, unknown>): Promise<EventRecord> {
  const name = `event ${++eventsSent}`
  await box.send(eventRequest({ events: [{ event: name, properties }] }))
  const record = (await box.events()).find(({ event }) => event === name)
  if (record === undefined) throw new Error(`${name} was not stored`)
  return record
}

/** One event for each address, read back in one go. */
async function sentAndStored(urls: unknown[]): Promise<Map<string, EventRecord>> {
  for (const url of urls) {
    await box.send(eventRequest({ events: [{ event: JSON.stringify(url), properties: { url, kept: true } }] }))
  }
  return new Map((await box.events()).map((record) => [record.event, record]))
}

const storedFor = (url: unknown) => byUrl.get(JSON.stringify(url))

test('a plain address stays, and its path and host are added', async () => {
  const { properties, attribution } = await stored({ url: 'https://www.acme.test/pricing?plan=pro', plan: 'pro' })
  expect({ properties, attribution }).toEqual({
    properties: { plan: 'pro', url: 'https://www.acme.test/pricing?plan=pro', path: '/pricing', host: 'www.acme.test' },
    attribution: {},
  })
})

test('a port that is not the default one is part of the host', async () => {
  expect((await stored({ url: 'https://www.acme.test:8443/a' })).properties.host).toBe('www.acme.test:8443')
})

test('what the caller says of path and host is replaced by what the address says', async () => {
  const { properties } = await stored({ url: 'https://www.acme.test/real', path: '/claimed', host: 'claimed.test' })
  expect(properties).toEqual({ url: 'https://www.acme.test/real', path: '/real', host: 'www.acme.test' })
})

test('without a url nothing of the page is inferred', async () => {
  expect((await stored({ plan: 'pro' })).properties).toEqual({ plan: 'pro' })
})

test('a url in traits is no page address and stays as sent', async () => {
  const traits = { url: 'https://ada.test/?utm_source=x' }
  await box.send(eventRequest({ events: [{ event: 'own site', traits }] }))
  expect((await box.events()).find(({ event }) => event === 'own site')?.traits).toEqual(traits)
})

describe('a url that is no absolute http(s) address is dropped:', () => {
  test.each(dropped)('%j', (url) => {
    expect(storedFor(url)).toMatchObject({ properties: { kept: true }, attribution: {} })
    expect(Object.keys(storedFor(url)?.properties ?? {})).toEqual(['kept'])
  })
})

describe('attribution', () => {
  test('is lifted out of the query, names in lower case, values as they are', async () => {
    const { properties, attribution } = await stored({
      url: 'https://www.acme.test/a?UTM_Source=News%20Letter&utm_medium=mail&page=2&GCLID=Cj0abc&fbclid=IwAR1&utm_custom=x',
    })
    expect({ url: properties.url, attribution }).toEqual({
      url: 'https://www.acme.test/a?page=2',
      attribution: {
        utm_source: 'News Letter',
        utm_medium: 'mail',
        utm_custom: 'x',
        gclid: 'Cj0abc',
        fbclid: 'IwAR1',
      },
    })
  })

  test.each(['gclid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id'])(
    'holds the click id %s, however personal it looks',
    async (name) => {
      const value = 'EAIaIQobChMI4e6P0c3v9gIVkdVRCh1yYQ3uEAAYASAAEgK1'
      const { properties, attribution } = await stored({ url: `https://www.acme.test/?${name}=${value}` })
      expect({ url: properties.url, attribution }).toEqual({
        url: 'https://www.acme.test/',
        attribution: { [name]: value },
      })
    },
  )

  test('leaves out a utm value that looks personal', async () => {
    const { properties, attribution } = await stored({
      url: 'https://www.acme.test/?utm_source=mail&utm_term=ada%40example.test',
    })
    expect({ url: properties.url, attribution }).toEqual({
      url: 'https://www.acme.test/',
      attribution: { utm_source: 'mail' },
    })
  })
})

describe('is removed from the address:', () => {
  test.each(removed)('%s', (_what, url) => {
    expect(storedFor(url)?.properties).toEqual({
      kept: true,
      url: 'https://www.acme.test/a',
      path: '/a',
      host: 'www.acme.test',
    })
  })
})

describe('stays in the address:', () => {
  test.each(kept)('%s', (_what, url) => {
    expect(storedFor(url)?.properties.url).toBe(url)
  })
})

test('a path segment that looks personal becomes "-" in url and path', async () => {
  const { properties } = await stored({ url: 'https://www.acme.test/u/ada@example.test/edit' })
  expect(properties).toEqual({ url: 'https://www.acme.test/u/-/edit', path: '/u/-/edit', host: 'www.acme.test' })
})

test('the referer is cleaned alike', async () => {
  await box.send(
    eventRequest({
      headers: { referer: 'https://ada:pw@www.acme.test/u/ada%40example.test?utm_source=x&token=y&page=1#f' },
      events: [{ event: 'referred' }],
    }),
  )
  const referred = (await box.events()).find(({ event }) => event === 'referred')
  expect(referred?.source.referer).toBe('https://www.acme.test/u/-?page=1')
})
