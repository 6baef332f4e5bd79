import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Redirect } from '../../src/account/redirect.ts'
import { liveAmong, type Way, wayOf, waysOf } from '../../src/asset/ways.ts'

const assets = [
  { kind: 'page', name: 'launch', state: 'live' },
  { kind: 'page', name: 'draft', state: 'preview' },
  { kind: 'image', name: 'brand/größe.png', state: 'live' },
] as const

const to302 = (from: string, to: string): Redirect => ({ from, to, status: 302 })

function leads(target: string, redirects: Redirect[], home: string | null = null): Way {
  return wayOf(waysOf({ home, redirects }, liveAmong(assets)), target)
}

/** The redirect's location; otherwise what the path leads to. */
function location(target: string, ...redirects: Redirect[]): string {
  const way = leads(target, redirects)
  return way.to === 'redirect' ? way.location : way.to
}

describe('a path', () => {
  test.each([`/${'a/'.repeat(300)}a`, `/${'a'.repeat(5000)}`, `/a?b=${'c'.repeat(5000)}`])(
    'is redirected only if it is no longer than any of a site (%#)',
    (target) => {
      const isLong = !target.includes('?')
      expect(leads(target, [to302('/*', '/launch')]).to).toBe(isLong ? 'nowhere' : 'redirect')
    },
  )

  test.each<[string, Way]>([
    ['/launch?a=1', { to: 'page', slug: 'launch' }],
    ['/%6caunch', { to: 'page', slug: 'launch' }],
    ['/', { to: 'page', slug: 'launch' }],
    ['/draft', { to: 'nowhere' }],
    ['/launch/more', { to: 'nowhere' }],
    ['//launch', { to: 'nowhere' }],
    ['/%ff', { to: 'nowhere' }],
    ['/_svc/img/brand/gr%C3%B6%C3%9Fe.png', { to: 'download', kind: 'image', name: 'brand/größe.png' }],
    ['/_svc/img/none.png', { to: 'nowhere' }],
    ['/_svc/v1.js', { to: 'service' }],
    ['/_preview/test', { to: 'service' }],
    ['/.well-known/security.txt', { to: 'service' }],
  ])('%s leads where it should', (target, way) => {
    expect(leads(target, [], 'launch')).toEqual(way)
  })

  test('of a live page with a final slash leads to the page, query and all', () => {
    expect(leads('/launch/?a=1', [])).toEqual({ to: 'redirect', location: '/launch?a=1', status: 308 })
  })

  test('of a live page is not redirected, nor one of the service', () => {
    const all = to302('/*', 'https://new.example/*')
    expect(['/launch', '/_svc/x', '/.well-known/x'].map((path) => location(path, all))).toEqual([
      'page',
      'service',
      'service',
    ])
  })
})

describe('a redirect', () => {
  test.each([
    ['/spring', '/spring'],
    ['/spring/', '/spring'],
    ['/s%70ring', '/spring'],
    ['/%C3%BCber-uns', '/über-uns'],
    ['/u%CC%88ber-uns', '/über-uns'],
    ['/', '/'],
  ])('takes %s as its path', (target, from) => {
    expect(location(target, to302(from, '/autumn'))).toBe('/autumn')
  })

  test.each(['/springs', '/Spring', '/spring/more', '//spring', '/spring//', '/x/spring', '/spring%2F'])(
    'leaves %s alone',
    (target) => {
      expect(location(target, to302('/spring', '/autumn'))).toBe('nowhere')
    },
  )

  test.each([
    ['/old/a', '/new/a'],
    ['/old/a/b%20c/', '/new/a/b%20c/'],
    ['/old/a?q=1', '/new/a?q=1'],
    ['/old', 'nowhere'],
    ['/old/', 'nowhere'],
    ['/older/a', 'nowhere'],
    ['/old/..%2fa', 'nowhere'],
    ['/old/%5c', 'nowhere'],
    ['/old//evil.example', 'nowhere'],
  ])('of everything below a path leads %s to %s', (target, expected) => {
    expect(location(target, to302('/old/*', '/new/*'))).toBe(expected)
  })

  test('of everything below may lead to one address', () => {
    expect(location('/old/a/b?q=1', to302('/old/*', '/launch'))).toBe('/launch?q=1')
  })

  test('that is exact goes first, then the longest', () => {
    const redirects = [to302('/*', '/1'), to302('/a/b/*', '/2'), to302('/a/*', '/3'), to302('/a/b/c', '/4')]
    expect(['/x', '/a/x', '/a/b/x', '/a/b/c', '/a/b'].map((path) => location(path, ...redirects))).toEqual([
      '/1',
      '/3',
      '/2',
      '/4',
      '/3',
    ])
  })

  test.each([
    ['/launch', '?b=2', '/launch?b=2'],
    ['/launch?a=1', '', '/launch?a=1'],
    ['/launch?a=1#top', '?b=2', '/launch?a=1&b=2#top'],
    ['/launch?a=1&c=3', '?a=%ff&b', '/launch?c=3&a=%ff&b'],
    ['https://new.example/x?a=1', '?a=2', 'https://new.example/x?a=2'],
  ])('to %s takes the query %s along', (to, search, expected) => {
    expect(location(`/spring${search}`, to302('/spring', to))).toBe(expected)
  })
})

const alphabet = fc.constantFrom(
  '/',
  '\\',
  '..',
  '.',
  '%2e',
  '%2f',
  '%5c',
  '%',
  '@',
  ':',
  '?',
  '#',
  '*',
  'a',
  'evil.example',
  '\t',
  'ü',
)
const target = fc.array(alphabet, { maxLength: 12 }).map((parts) => `/${parts.join('')}`)

describe('whatever is asked for', () => {
  test('a path never leads off the site', () => {
    const redirects = [to302('/*', '/*'), to302('/a/*', '/b/c/*'), to302('/a', '/b?c=d')]
    fc.assert(
      fc.property(target, (asked) => {
        const way = leads(asked, redirects)
        if (way.to !== 'redirect') return
        expect(way.location).toMatch(/^\/[!-~]*$/)
        expect(URL.parse(way.location, 'https://go.acme.example/')?.origin).toBe('https://go.acme.example')
      }),
    )
  })

  test('the rest stays below the path it is handed to', () => {
    fc.assert(
      fc.property(target, (asked) => {
        const way = leads(asked, [to302('/*', '/new/*')])
        if (way.to !== 'redirect') return
        expect(URL.parse(way.location, 'https://go.acme.example/')?.pathname).toStartWith('/new/')
      }),
    )
  })

  test('only whole segments match', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-z0-9-]{1,8}$/), (name, more) => {
        const redirects = [to302(`/${name}`, '/launch'), to302(`/${name}/*`, '/launch')]
        expect(location(`/${name}${more}/x`, ...redirects)).toBe('nowhere')
        expect(location(`/${name}/${more}`, ...redirects)).toBe('/launch')
      }),
    )
  })
})
