import { describe, expect, test } from 'bun:test'
import { ASiteFolder } from './a-site-folder.ts'

const files = ['pages/launch.html', 'pages/autumn.html', 'pages/draft.html', 'img/hero.png']
const draft = '[[pages]]\nslug = "draft"\nstate = "preview"\n'

const redirects = (...pairs: [from: string, to: string][]): string =>
  pairs.map(([from, to]) => `[[redirects]]\nfrom = ${JSON.stringify(from)}\nto = ${JSON.stringify(to)}\n`).join('')

async function faultsOf(toml: string): Promise<string[]> {
  using site = new ASiteFolder(draft + toml, files)
  return await site.faults()
}

describe('redirects in site.toml', () => {
  test('are 302 unless they say otherwise, and have one spelling', async () => {
    using site = new ASiteFolder(
      `${redirects(['/%C3%BCber/', '/launch?a=1#b'])}status = 308\n${redirects(['/old/*', 'https://new.example/*'])}`,
      files,
    )
    expect((await site.read()).settings.redirects).toEqual([
      { from: '/über', to: '/launch?a=1#b', status: 308 },
      { from: '/old/*', to: 'https://new.example/*', status: 302 },
    ])
  })

  test.each<[string, ...[string, string][]]>([
    ['pages', ['/spring', '/autumn'], ['/summer', '/launch/?a=1']],
    ['an image', ['/logo.png', '/_svc/img/hero.png']],
    ['a path of the service', ['/script', '/_svc/v1.js']],
    ['another redirect', ['/a', '/b'], ['/b', '/launch']],
    ['everything below another path', ['/old/*', '/new/*']],
    ['the top', ['/old/*', '/*']],
    ['another site', ['/a', 'https://web.archive.example/2020/https://a.example/']],
    ['another port of an own domain', ['/app', 'https://go.acme.example:8443/app']],
    ['a page of an own domain', ['/a', 'https://go.acme.example/launch']],
    ['a path that is in preview', ['/draft', '/launch']],
    ['the top, without a home page', ['/', '/launch']],
    ['itself but for its last segment', ['/a', '/a/b'], ['/a/b', '/launch']],
    ['one of many below', ['/a/*', '/b/*'], ['/b/x', '/launch']],
  ])('may lead to %s', async (_, ...pairs) => {
    expect(await faultsOf(redirects(...pairs))).toEqual([])
  })

  test.each<[string, string, ...[string, string][]]>([
    ['from: /launch is the live page "launch"', 'that no visitor would follow', ['/launch', '/autumn']],
    ['from: /launch is the live page', 'of a page with a slash', ['/launch/', '/autumn']],
    ['from: /_svc/img/x.png belongs to the service', 'of an image', ['/_svc/img/x.png', '/autumn']],
    ['from: /_svc/* belongs to the service', 'of the service', ['/_svc/*', '/launch']],
    ['from: /.well-known/x belongs', 'of what is well known', ['/.well-known/x', '/launch']],
    ['to: there is nothing at /autum; did you mean /autumn?', 'to a missing page', ['/a', '/autum?x=1']],
    ['to: there is nothing at /_svc/img/x.png', 'to a missing image', ['/a', '/_svc/img/x.png']],
    ['to: there is nothing at /none', 'to a missing page of an own domain', ['/a', 'https://go.acme.example/none']],
    ['to: /draft is in preview', 'to a page in preview', ['/a', '/draft']],
    ['to: leads in a loop: /a → /a', 'to itself', ['/a', '/a/']],
    ['to: leads in a loop: /a → /a?b=1', 'to itself with a query', ['/a', '/a?b=1']],
    ['to: leads in a loop: /a → /b → /a', 'in a circle', ['/a', '/b'], ['/b', '/a']],
    ['to: leads in a loop: /a/* → /b/* → /a/*', 'in a circle below', ['/a/*', '/b/*'], ['/b/*', '/a/*']],
    ['to: leads in a loop: /a/x → /b/x → /a/x', 'in a circle through one below', ['/a/x', '/b/x'], ['/b/*', '/a/*']],
    ['to: leads on through more than 10', 'that grow', ['/old/*', '/old/new/*']],
    ['to: leads on through more than 10', 'that take everything', ['/*', '/new/*']],
    ['to: ends in /*', 'with nothing to hand on', ['/a', '/b/*']],
    [
      'from: "/a" is also the from of redirects[1]',
      'twice',
      ['/launch2', '/launch'],
      ['/a', '/launch'],
      ['/a/', '/autumn'],
    ],
  ])('fault %j: one %s', async (fault, _, ...pairs) => {
    expect((await faultsOf(redirects(...pairs))).join('\n')).toContain(fault)
  })

  test.each([
    'a',
    '',
    '//a.example',
    '/\\a.example',
    '/a b',
    '/a//b',
    '/a/../b',
    '/..',
    '/%2e%2E/a',
    '/a%2Fb',
    '/a%5cb',
    '/%ff',
    'https://a.example/',
  ])('have no path %j to lead from', async (from) => {
    expect((await faultsOf(redirects([from, '/launch']))).join('\n')).toContain('redirects[0].from: must be a path')
  })

  test.each([
    'a',
    '',
    '//a.example',
    '/\\a.example',
    '/a/..',
    '/%2e',
    'http://a.example/',
    'javascript:alert(1)',
    'https://',
    'https://a b/',
  ])('do not lead to %j', async (to) => {
    expect((await faultsOf(redirects(['/a', to]))).join('\n')).toContain('redirects[0].to: must be a path')
  })

  test.each([
    [redirects(['/a?b=1', '/launch']), 'redirects[0].from: must be a path alone'],
    [redirects(['/a*', '/launch']), 'redirects[0].from: must have no *'],
    [redirects(['/*/a', '/launch']), 'redirects[0].from: must have no *'],
    [redirects(['/a/*', '/b*']), 'redirects[0].to: must have no *'],
    [redirects(['/a', 'https://b:c@d.example/']), 'redirects[0].to: must not hold a user name'],
    [`${redirects(['/a', '/launch'])}status = 303`, 'redirects[0].status: must be 301, 302, 307 or 308'],
  ])('are well-formed: %#', async (toml, fault) => {
    expect((await faultsOf(toml)).join('\n')).toContain(fault)
  })
})
