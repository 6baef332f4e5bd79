// What holds of touches whatever strangers send.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Attribution } from '../../../src/ledger/entry.ts'
import type { JsonObject } from '../../../src/lib/json-value.ts'
import platforms from '../../../src/processing/attribution/known/click-platforms.json'
import type { Hit } from '../../../src/processing/attribution/touch.ts'
import { campaignCharsMax, touchOf } from '../../../src/processing/attribution/touch-of.ts'
import { click, pageView, source, trackedEvent } from '../../report/sample-entries.ts'
import { anAccount } from './an-account.ts'

const clickIds = platforms.platforms.flatMap(({ ids }) => ids)
const utmNames = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'utm_id']
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 190, maxLength: 900, unit: 'grapheme' }))

const attribution: fc.Arbitrary<Attribution> = fc.dictionary(
  fc.oneof(fc.constantFrom(...utmNames, ...clickIds, '__proto__', 'constructor'), fc.string()),
  text,
)

const host = fc.oneof(
  fc.constantFrom('www.google.de', 'mail.google.com', 't.co', 'partner.example', '[2001:db8::1]', 'a'.repeat(400)),
  fc.domain(),
)
const ownHost = fc.oneof(
  fc.constantFrom('go.acme.example', 'go.acme.example:8443', 'news.acme.example', 'www.acme.example'),
  fc.domain().map((name) => `${name}.shop.example`),
)
const addressAt = (hosts: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.constantFrom('http', 'https'), hosts, fc.webPath())
    .map(([scheme, at, path]) => `${scheme}://${at}${path}`)

/** Any record that can tell, referred by what the arbitrary says. */
const hitReferredBy = (referer: fc.Arbitrary<string | null>): fc.Arbitrary<Hit> =>
  fc
    .record({
      referer,
      attribution,
      message: fc.option(text),
      url: fc.oneof(fc.webUrl(), fc.constant('')),
      event: fc.constantFrom('$pageview', '$identify', 'plan_chosen'),
      properties: fc.dictionary(fc.constantFrom('url', 'host', 'referrer', 'other'), fc.jsonValue()),
    })
    .chain(({ referer, message, event, properties, ...stated }) => {
      const shared = { ...stated, source: { ...source, referer } }
      return fc.constantFrom<Hit>(
        pageView(shared),
        click({ ...shared, message, verdict: 'human' }),
        trackedEvent({ ...shared, event, properties: properties as JsonObject }),
      )
    })

test('whatever a record holds, its touch is bounded, well-formed text, or none', () => {
  fc.assert(
    fc.property(hitReferredBy(fc.option(fc.oneof(addressAt(host), text))), (hit) => {
      const touch = touchOf(hit, anAccount)
      if (touch === null) return
      const { source, medium, campaign } = touch
      expect(source.length).toBeWithin(1, 254)
      expect(medium.length).toBeWithin(1, campaignCharsMax + 1)
      if (hit.kind !== 'click' && campaign !== null) expect(campaign.length).toBeWithin(1, campaignCharsMax + 1)
      for (const stated of [source, medium, campaign, touch.term, touch.content])
        if (stated !== null && stated !== (hit.kind === 'click' ? hit.message : null))
          expect(stated.isWellFormed()).toBe(true)
      expect(Object.keys(touch.clickIds).filter((name) => !clickIds.includes(name))).toEqual([])
      expect(JSON.stringify(touch).length).toBeLessThan(40_000)
    }),
  )
})

test('a campaign’s source always wins', () => {
  fc.assert(
    fc.property(hitReferredBy(fc.option(addressAt(host))), (hit) => {
      const stated = { ...hit, attribution: { ...hit.attribution, utm_source: 'Spring-Mail' } }
      expect(touchOf(stated, anAccount)?.source).toBe('spring-mail')
    }),
  )
})

test('an account’s own host is never where a visit came from', () => {
  const views = hitReferredBy(addressAt(ownHost)).filter(({ kind }) => kind === 'page_view')
  fc.assert(
    fc.property(views, (view) => {
      const touch = touchOf({ ...view, attribution: {} }, anAccount)
      expect(touch).toMatchObject({ source: 'direct', medium: 'none', referrer: null })
      expect(touchOf(view, anAccount)?.referrer).toBeNull()
    }),
  )
})

test('the same record tells the same again', () => {
  fc.assert(
    fc.property(hitReferredBy(fc.option(addressAt(host))), (hit) => {
      expect(touchOf(structuredClone(hit), anAccount)).toEqual(touchOf(hit, anAccount))
    }),
  )
})
