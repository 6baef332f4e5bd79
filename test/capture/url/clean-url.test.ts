import { describe, expect, test } from 'bun:test'
import { cleanUrl, rawUrlCharsMax, urlCharsMax } from '../../../src/capture/url/clean-url.ts'

const cleaned = (raw: string) => {
  const result = cleanUrl(raw)
  if (result === null) throw new Error(`dropped: ${raw}`)
  return result
}
const jwt = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.x'
const token = 'k7Qm2Vx9Lp4Rt8Wz1Bn6Ys3D'

describe('what is an address', () => {
  test.each([
    '',
    'x',
    '/launch',
    '//x.example/',
    'ftp://x.example/',
    'javascript:alert(1)',
    'https://',
    'mailto:a@b.example',
  ])('%p is dropped', (raw) => expect(cleanUrl(raw)).toBeNull())
  test.each(['https://+4915112345678/', 'https://a%40b.example/', 'https://a!b.example/'])(
    'the host of %p is none, and the address is dropped',
    (raw) => expect(cleanUrl(raw)).toBeNull(),
  )
  test('an address is serialised by the URL standard', () =>
    expect(cleaned(' HTTPS://WWW.Acme.Example:443/a/../b c?q=1 2').url).toBe('https://www.acme.example/b%20c?q=1%202'))
  test('host carries a port that is not the default', () =>
    expect(cleaned('http://x.example:8080/p')).toEqual({
      url: 'http://x.example:8080/p',
      path: '/p',
      host: 'x.example:8080',
      attribution: {},
    }))
  test('an IPv6 host is kept', () => expect(cleaned('http://[::1]:8080/').host).toBe('[::1]:8080'))
  test('an internationalised host becomes punycode', () =>
    expect(cleaned('https://bücher.example/').host).toBe('xn--bcher-kva.example'))
  test('user info is removed', () =>
    expect(cleaned('https://a%40b.example:pw@x.example/p').url).toBe('https://x.example/p'))
  test('the fragment is removed', () =>
    expect(cleaned('https://x.example/p?a=1#access_token=x').url).toBe('https://x.example/p?a=1'))
})

describe('attribution', () => {
  test('utm parameters and click ids are lifted out, names in lower case and values decoded once', () =>
    expect(cleaned('https://x.example/?a=1&UTM_Source=News+Letter&GCLID=Abc&utm_term=a%2520b&b=2')).toEqual({
      url: 'https://x.example/?a=1&b=2',
      path: '/',
      host: 'x.example',
      attribution: { utm_source: 'News Letter', gclid: 'Abc', utm_term: 'a%20b' },
    }))
  test.each([
    'gclid',
    'gbraid',
    'wbraid',
    'dclid',
    'fbclid',
    'msclkid',
    'ttclid',
    'li_fat_id',
    'twclid',
    'ScCid',
    'rdt_cid',
  ])('%s is exempt, though it looks like a token', (name) =>
    expect(cleaned(`https://x.example/?${name}=${token}`).attribution).toEqual({ [name.toLowerCase()]: token }),
  )
  test('a utm value that looks personal is dropped', () =>
    expect(cleaned('https://x.example/?utm_source=a%40b.example&utm_id=7')).toMatchObject({
      url: 'https://x.example/',
      attribution: { utm_id: '7' },
    }))
  test('a utm name that is personal is dropped', () =>
    expect(cleaned('https://x.example/?utm_email=anna&utm_campaign_name=spring').attribution).toEqual({
      utm_campaign_name: 'spring',
    }))
  test('a utm name that is no name is dropped', () =>
    expect(cleaned('https://x.example/?utm_%3Cb%3E=1&utm_=1')).toMatchObject({
      url: 'https://x.example/',
      attribution: {},
    }))
  test('an encoded name counts', () =>
    expect(cleaned('https://x.example/?%75tm_source=a').attribution).toEqual({ utm_source: 'a' }))
  test('of a repeated name the first value that is not empty counts', () =>
    expect(cleaned('https://x.example/?utm_source=&utm_source=a&utm_source=b').attribution).toEqual({
      utm_source: 'a',
    }))
  test('a mail campaign names its medium', () =>
    expect(cleaned('https://x.example/?utm_medium=email').attribution).toEqual({ utm_medium: 'email' }))
  test('more attribution than anyone uses is not stored', () => {
    const many = Array.from({ length: 100 }, (_, i) => `utm_x${i}=1`).join('&')
    const { url, attribution } = cleaned(`https://x.example/?${many}`)
    expect([url, Object.keys(attribution).length]).toEqual(['https://x.example/', 32])
  })
})

describe('the path', () => {
  test.each([
    ['/u/a@b.example/x', '/u/-/x'],
    ['/u/a%2540b.example/x', '/u/-/x'],
    ['/tel:+4915112345678', '/-'],
    [`/reset/${token}`, '/reset/-'],
    [`/reset/${jwt}/done`, '/reset/-/done'],
    ['/p;email=a@b.example/x', '/-/x'],
    ['/p;password=hunter2/x', '/-/x'],
    ['/call/0151/2345678/now', '/call/-/-/now'],
    ['/call/+49/151/2345678', '/call/-/-/-'],
    ['/u/name/@c.example', '/u/name/-'],
  ])('%s becomes %s, in path and url', (path, expected) => {
    const result = cleaned(`https://x.example${path}`)
    expect([result.path, result.url]).toEqual([expected, `https://x.example${expected}`])
  })
  test.each([
    '/spring-sale-2026-offer',
    '/10-best-tools-for-small-marketing-teams-in-2026',
    '/iphone-15-pro-max-256gb-blau-b0c9x7',
    '/2026/11/21/a-title',
    '/2026-11-21-a-title',
    '/orders/1234/5678901',
    '/orders/550e8400-e29b-41d4-a716-446655440000',
    '/orders/1/550e8400-e29b-41d4-a716-446655440000/2',
    '/maps/@52.5200066,13.404954,15z',
    '/@anna',
    '/IMG_20261121_101500.jpg',
    '/a;b=1/c',
    '/',
    '//x//',
    '/%zz',
  ])('%s survives', (path) => expect(cleaned(`https://x.example${path}`).path).toBe(path))
})

describe('limits', () => {
  test('a query that makes the address too long is dropped', () =>
    expect(cleaned(`https://x.example/p?${'a=b&'.repeat(urlCharsMax / 4)}`).url).toBe('https://x.example/p'))
  test('a path that makes the address too long drops it', () =>
    expect(cleanUrl(`https://x.example/${'a'.repeat(urlCharsMax)}`)).toBeNull())
  test('a text beyond all measure is not parsed', () =>
    expect(cleanUrl(`https://x.example/#${'a'.repeat(rawUrlCharsMax)}`)).toBeNull())
})
