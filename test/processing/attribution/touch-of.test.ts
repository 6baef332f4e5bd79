// docs/identity.md, "First and last touch": each row of the model.
import { describe, expect, test } from 'bun:test'
import type { Click, PageView, TrackedEvent } from '../../../src/ledger/entry.ts'
import { campaignCharsMax, clickIdCharsMax, touchOf } from '../../../src/processing/attribution/touch-of.ts'
import { click, pageView, source, trackedEvent } from '../../report/sample-entries.ts'
import { anAccount } from './an-account.ts'

const referredBy = (referer: string) => ({ source: { ...source, referer } })
const ofView = (overrides: Partial<PageView> = {}) => touchOf(pageView(overrides), anAccount)
const ofEvent = (overrides: Partial<TrackedEvent> = {}) =>
  touchOf(trackedEvent({ attribution: {}, ...overrides }), anAccount)
const ofClick = (overrides: Partial<Click> = {}) => touchOf(click({ verdict: 'human', ...overrides }), anAccount)

describe('campaign parameters', () => {
  const everything = {
    utm_source: 'Newsletter',
    utm_medium: 'E-Mail',
    utm_campaign: 'Spring 2026',
    utm_term: 'Red Shoes',
    utm_content: 'Top',
  }

  test('tell source, medium, campaign, term and content; source and medium in lower case', () => {
    expect(ofView({ attribution: everything })).toEqual({
      at: '2026-11-20T09:30:00.005Z',
      via: 'page_view',
      source: 'newsletter',
      medium: 'e-mail',
      campaign: 'Spring 2026',
      term: 'Red Shoes',
      content: 'Top',
      clickIds: {},
      referrer: null,
      url: 'https://go.acme.example/launch',
    })
  })

  test('go before an ad platform’s click id, which is kept', () => {
    const attribution = { gclid: 'Abc-1', utm_source: 'partner', utm_medium: 'banner' }
    expect(ofView({ attribution })).toMatchObject({ source: 'partner', medium: 'banner', clickIds: { gclid: 'Abc-1' } })
  })

  test('go before a referrer, which is kept', () => {
    const referred = { attribution: everything, ...referredBy('https://www.google.de/') }
    expect(ofView(referred)).toMatchObject({ source: 'newsletter', referrer: 'https://www.google.de/' })
  })

  test('that name no medium are a campaign’s', () => {
    expect(ofView({ attribution: { utm_source: 'flyer' } })).toMatchObject({ source: 'flyer', medium: 'campaign' })
  })

  test('that name no source leave it to the click id', () => {
    const attribution = { utm_campaign: 'spring', msclkid: 'x' }
    expect(ofView({ attribution })).toMatchObject({ source: 'bing', medium: 'cpc', campaign: 'spring' })
  })

  test('that name no source leave it to the referrer', () => {
    const referred = { attribution: { utm_medium: 'Paid' }, ...referredBy('https://www.linkedin.com/feed') }
    expect(ofView(referred)).toMatchObject({ source: 'linkedin', medium: 'paid' })
  })

  test('that name no source, where nothing else tells, have an unknown one and are not direct', () => {
    expect(ofView({ attribution: { utm_content: 'top' } })).toMatchObject({ source: 'unknown', medium: 'campaign' })
  })

  test.each(['utm_id', 'utm_source_platform', 'utm_anything'])('that are %s alone are a campaign’s too', (name) => {
    const nothing = { campaign: null, term: null, content: null, clickIds: {} }
    const attribution = { [name]: '5' }
    expect(ofView({ attribution })).toMatchObject({ source: 'unknown', medium: 'campaign', ...nothing })
    expect(ofEvent({ attribution })).toMatchObject({ source: 'unknown', medium: 'campaign', ...nothing })
    expect(ofView({ attribution: { ...attribution, gclid: 'x' } })).toMatchObject({ source: 'google', medium: 'cpc' })
  })

  test('of white space are none', () => {
    const attribution = { utm_source: ' ', utm_campaign: '\t', utm_id: ' ' }
    expect(ofView({ attribution })).toMatchObject({ source: 'direct' })
  })

  test('are cut at their limit, never in the middle of a character', () => {
    const long = `${'a'.repeat(campaignCharsMax - 1)}😀`
    const touch = ofView({ attribution: { utm_source: long, utm_campaign: 'b'.repeat(8000) } })
    expect(touch?.source).toBe(`${'a'.repeat(campaignCharsMax - 1)}�`)
    expect(touch?.campaign).toHaveLength(campaignCharsMax)
  })

  test('of an event’s page count like those of a view', () => {
    const event = { attribution: everything, properties: { url: 'https://www.acme.example/pricing' } }
    expect(ofEvent(event)).toMatchObject({
      via: 'event',
      source: 'newsletter',
      url: 'https://www.acme.example/pricing',
    })
  })
})

describe('a click id', () => {
  test.each([
    ['gclid', 'google', 'cpc'],
    ['gbraid', 'google', 'cpc'],
    ['wbraid', 'google', 'cpc'],
    ['dclid', 'google', 'display'],
    ['msclkid', 'bing', 'cpc'],
    ['fbclid', 'facebook', 'social'],
    ['ttclid', 'tiktok', 'cpc'],
    ['li_fat_id', 'linkedin', 'cpc'],
    ['twclid', 'x', 'cpc'],
    ['epik', 'pinterest', 'social'],
    ['irclickid', 'impact', 'affiliate'],
  ])('%s without campaign parameters names %s and %s', (name, source, medium) => {
    expect(ofView({ attribution: { [name]: 'Id' } })).toMatchObject({ source, medium, clickIds: { [name]: 'Id' } })
  })

  test('goes before a referrer', () => {
    const referred = { attribution: { gclid: 'x' }, ...referredBy('https://partner.example/') }
    expect(ofView(referred)).toMatchObject({ source: 'google', medium: 'cpc', referrer: 'https://partner.example/' })
  })

  test('of a friend’s shared link beside one of an advertisement gives way to the advertisement', () => {
    expect(ofView({ attribution: { fbclid: 'a', gclid: 'b' } })).toMatchObject({ source: 'google', medium: 'cpc' })
  })

  test('that is too long to be one is not kept, and still tells', () => {
    const touch = ofView({ attribution: { gclid: 'x'.repeat(clickIdCharsMax + 1) } })
    expect(touch).toMatchObject({ source: 'google', clickIds: {} })
  })
})

describe('a referrer', () => {
  test.each([
    ['https://www.google.co.uk/', 'google', 'organic'],
    ['https://l.facebook.com/l.php', 'facebook', 'social'],
    ['https://mail.google.com/', 'gmail', 'email'],
    ['https://www.partner.example/article?id=7', 'partner.example', 'referral'],
    ['http://partner.example:8080/', 'partner.example', 'referral'],
    ['http://[2001:db8::1]:8080/', '[2001:db8::1]', 'referral'],
  ])('%s of a page view tells %s and %s', (referer, source, medium) => {
    expect(ofView(referredBy(referer))).toMatchObject({ source, medium, referrer: referer })
  })

  test.each([
    ['the host itself', 'https://go.acme.example/other'],
    ['the host itself on another port', 'https://go.acme.example:8443/other'],
    ['another connected domain', 'https://news.acme.example/'],
    ['an allowlisted origin', 'https://www.acme.example/pricing'],
    ['one label of a wildcard', 'https://de.shop.example/'],
    ['several labels of a wildcard', 'https://a.b.shop.example./'],
  ])('that is %s tells nothing', (_, referer) => {
    expect(ofView(referredBy(referer))).toMatchObject({ source: 'direct', medium: 'none', referrer: null })
  })

  test.each(['https://shop.example/', 'https://www.acme.example.evil.example/', 'https://acme.example/'])(
    '%s is not the account’s own',
    (referer) => {
      expect(ofView(referredBy(referer))).toMatchObject({ medium: 'referral', referrer: referer })
    },
  )

  test.each(['https://www.acme.example/pricing', 'https://unlisted.example/', 'https://partner.example/'])(
    'of a client event is the page it happened on, and tells nothing: %s',
    (referer) => {
      const properties = { url: 'https://www.acme.example/', host: 'www.acme.example' }
      expect(ofEvent({ properties, ...referredBy(referer) })).toBeNull()
    },
  )

  test('of the request of a $pageview tells nothing either', () => {
    const view = { event: '$pageview', properties: {}, ...referredBy('https://partner.example/') }
    expect(ofEvent(view)).toMatchObject({ source: 'direct', referrer: null })
  })

  test('that the page of a $pageview states tells; only its origin is kept', () => {
    const properties = { referrer: 'https://duckduckgo.com/?q=ada%40acme.example' }
    const referred = { event: '$pageview', properties, ...referredBy('https://www.acme.example/') }
    expect(ofEvent(referred)).toMatchObject({
      source: 'duckduckgo',
      medium: 'organic',
      referrer: 'https://duckduckgo.com/',
    })
  })

  test.each([['https://www.acme.example/before'], ['about:blank'], [''], ['javascript:alert(1)'], [7], [null], [{}]])(
    '%p as the page of a $pageview states it tells nothing',
    (referrer) => {
      expect(ofEvent({ event: '$pageview', properties: { referrer } })).toMatchObject({ source: 'direct' })
    },
  )

  test('that any other event states is its own affair', () => {
    expect(ofEvent({ event: 'liked', properties: { referrer: 'https://partner.example/' } })).toBeNull()
  })
})

describe('a click', () => {
  test('is from an email, its message the campaign', () => {
    expect(ofClick()).toMatchObject({ via: 'click', source: 'email', medium: 'email', campaign: 'november' })
  })

  test('has no campaign when its link names no message', () => {
    expect(ofClick({ message: null })?.campaign).toBeNull()
  })

  test('whose destination has campaign parameters is what they say', () => {
    const attribution = { utm_source: 'crm', utm_medium: 'drip', utm_campaign: 'welcome' }
    expect(ofClick({ attribution })).toMatchObject({ source: 'crm', medium: 'drip', campaign: 'welcome' })
  })

  test('whose destination names a source alone is still that of a message by email', () => {
    const touch = ofClick({ attribution: { utm_source: 'crm' } })
    expect(touch).toMatchObject({ source: 'crm', medium: 'email', campaign: 'november' })
  })

  test('stays an email’s where a webmail is the referrer or a click id stands in the destination', () => {
    const touch = ofClick({ attribution: { gclid: 'x' }, ...referredBy('https://mail.google.com/') })
    expect(touch).toMatchObject({ source: 'email', medium: 'email', clickIds: { gclid: 'x' } })
  })

  test('that was judged a machine’s tells nothing', () => {
    expect(ofClick({ verdict: 'machine', attribution: { utm_source: 'crm' } })).toBeNull()
  })

  test('that is suspected tells', () => {
    expect(ofClick({ verdict: 'suspected' })).toMatchObject({ source: 'email' })
  })
})

describe('what tells nothing', () => {
  test('is direct for a view at the edge', () => {
    expect(ofView()).toMatchObject({ via: 'page_view', source: 'direct', medium: 'none' })
  })

  test('is direct for a view that a page tells of', () => {
    expect(ofEvent({ event: '$pageview', properties: {} })).toMatchObject({ via: 'event', source: 'direct', url: null })
  })

  test('is no touch for any other event', () => {
    expect(ofEvent({ event: 'plan_chosen' })).toBeNull()
  })
})
