// docs/seen-from-outside.md, "What browsers are told": what each surface forbids a browser to do with it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import type { Sent } from '../harness/http.ts'
import { visit } from '../harness/visits.ts'

const previewHost = 'preview.localhost'
const consoleHost = 'console.agency.test'
const files = {
  'pages/launch.html': '<p>Launch</p>',
  'img/a.png': 'a',
  'img/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'files/a.pdf': 'a',
}

let box: Box
let keys: BoxKeys
let owner: ConsoleVisitor
/** A report for everybody who has its path. */
let shared = ''

beforeAll(async () => {
  box = await Box.start([aSite({ files })], {
    server: { trusted_proxies: ['127.0.0.1/32'] },
    console: { host: consoleHost, listen: '127.0.0.1:0' },
  })
  keys = await BoxKeys.of(box)
  owner = await ConsoleVisitor.owner(box)
  const { text } = await owner.sendJson('POST', '/api/v1/accounts/acme/report/share', {})
  shared = new URL((JSON.parse(text) as { link: string }).link).pathname
}, boxStartMsMax)
afterAll(() => box.stop())

const names = {
  policy: 'content-security-policy',
  referrer: 'referrer-policy',
  opener: 'cross-origin-opener-policy',
  resource: 'cross-origin-resource-policy',
  hsts: 'strict-transport-security',
} as const

/** What a surface has of these; what is not said, it does not have. A policy is told by what it begins or ends with. */
type Protection = Partial<Record<keyof typeof names, string | RegExp>>

const data: Protection = { policy: "default-src 'none'; frame-ancestors 'none'" }
/** Its own style, its own forms, no script. */
const smallPage: Protection = {
  policy:
    /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action '(?:none|self)'; frame-ancestors 'self'$/,
  referrer: 'no-referrer',
}
const preview: Protection = { referrer: 'strict-origin-when-cross-origin' }
const ofConsole: Protection = { referrer: 'no-referrer', resource: 'same-origin' }
const consolePage: Protection = {
  ...ofConsole,
  policy: /^default-src 'none'; (?!.*unsafe-inline).*frame-ancestors 'none'/,
  opener: 'same-origin',
}
const consoleData: Protection = { ...ofConsole, ...data }

const onPreviewHost = (path: string) => visit(path, { host: previewHost })
const previewed = (prefix: string, asset: string) => onPreviewHost(keys.previewPath(prefix + keys.assetId(asset)))

const surfaces: [what: string, sent: () => Sent, status: number, protection: Protection][] = [
  ['a landing page', () => visit('/launch'), 200, { referrer: 'strict-origin-when-cross-origin' }],
  ['an image', () => visit('/_svc/img/a.png'), 200, { resource: 'cross-origin' }],
  [
    'an SVG',
    () => visit('/_svc/img/a.svg'),
    200,
    { resource: 'cross-origin', policy: "default-src 'none'; style-src 'unsafe-inline'; sandbox" },
  ],
  ['a file', () => visit('/_svc/file/a.pdf'), 200, { resource: 'cross-origin' }],
  ['the script', () => visit('/_svc/v1.js'), 200, { resource: 'cross-origin' }],
  ['the runtime configuration', () => visit('/_svc/rc?f=contact1'), 200, data],
  ['an accepted form', () => formRequest(), 200, data],
  ['accepted events', () => eventRequest(), 202, data],
  ['a refused form', () => formRequest({ form: 'unknown1' }), 404, data],
  ['a wrong method', () => visit('/_svc/e'), 405, data],
  ['a click', () => visit(keys.clickPath('http://go.acme.test/launch')), 302, { referrer: 'no-referrer' }],
  ['a broken click link', () => visit('/_svc/c/x'), 404, smallPage],
  ['a refused click link', () => visit(keys.hostileClickPath('https://evil.test/', 'mail-1')), 403, smallPage],
  ['a page that is not there', () => visit('/nowhere'), 404, smallPage],
  ['a form posted to its page', () => visit('/launch', { method: 'POST', body: 'a=b' }), 405, smallPage],
  ['unsubscribing', () => visit(keys.optOutPath('ada@example.test')), 200, smallPage],
  ['a host that is not connected', () => visit('/', { host: 'other.test' }), 404, {}],
  [
    'a previewed page',
    () => previewed('/_preview/', 'pages/launch.html'),
    200,
    { ...preview, policy: /^sandbox (?!.*allow-same-origin)/ },
  ],
  ['a previewed image', () => previewed('/_preview/img/', 'img/a.png'), 200, preview],
  [
    'a previewed SVG',
    () => previewed('/_preview/img/', 'img/a.svg'),
    200,
    { ...preview, policy: "default-src 'none'; style-src 'unsafe-inline'; sandbox" },
  ],
  ['a previewed file', () => previewed('/_preview/file/', 'files/a.pdf'), 200, preview],
  [
    'the test page',
    () => onPreviewHost(keys.previewPath('/_preview/test').replace('?', '?account=acme&')),
    200,
    {
      policy: /^default-src 'none'; (?!.*unsafe-inline).*frame-ancestors 'none'$/,
      referrer: 'strict-origin',
      opener: 'same-origin',
    },
  ],
  ['a refused preview', () => onPreviewHost('/_preview/unknown1'), 403, { ...smallPage, ...preview }],
]

function expectProtection(headers: Headers, protection: Protection) {
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  for (const [kind, name] of Object.entries(names)) {
    const expected = protection[kind as keyof typeof names] ?? null
    if (expected instanceof RegExp) expect(headers.get(name)).toMatch(expected)
    else expect([name, headers.get(name)]).toEqual([name, expected])
  }
}

test.each(surfaces)('%s has what it can have', async (_what, sent, status, protection) => {
  const answer = await box.send(sent())
  expect(answer.status).toBe(status)
  expectProtection(answer.headers, protection)
})

describe('the console', () => {
  const paths: [what: string, path: () => string, status: number, protection: Protection][] = [
    ['a page', () => '/a/acme', 200, consolePage],
    ['where one signs in', () => '/sign-in', 200, consolePage],
    ['a page that is not there', () => '/nowhere', 404, consolePage],
    ['a shared report', () => shared, 200, consolePage],
    ['a share link that does not work', () => '/r/unknown', 404, consolePage],
    ['its script', () => '/_/console.js', 200, consoleData],
    ['its icon', () => '/_/icon.svg', 200, consoleData],
    ['the API', () => '/api/v1/accounts', 200, consoleData],
    ['a refusal of the API', () => '/api/v1/nowhere', 404, consoleData],
    ['a CSV', () => '/api/v1/accounts/acme/submissions?format=csv', 200, consoleData],
    ['what is live', () => '/a/acme/live', 200, consoleData],
  ]

  test.each(paths)('has for %s what it can have', async (_what, path, status, protection) => {
    const answer = await fetch(`http://127.0.0.1:${box.consolePort}${path()}`, {
      headers: { host: 'localhost', 'sec-fetch-site': 'same-origin', cookie: owner.cookie },
      redirect: 'manual',
    })
    expect(answer.status).toBe(status)
    expectProtection(answer.headers, protection)
    await answer.body?.cancel()
  })

  test('has for a redirect what it can have', async () => {
    const { status, headers } = await new ConsoleVisitor(box).get('/a/acme')
    expect(status).toBe(303)
    expectProtection(headers, consolePage)
  })

  const atItsName = (path: string, proto: string) =>
    box.send(visit(path, { host: consoleHost, headers: { 'x-forwarded-proto': proto } }))

  test.each(['/sign-in', '/api/v1/accounts', '/nowhere'])(
    'is for https alone for a year, at its own name: %s',
    async (path) => {
      expect((await atItsName(path, 'https')).headers.get('strict-transport-security')).toBe('max-age=31536000')
    },
  )

  test('says nothing of https where a browser would not believe it', async () => {
    const { status, headers } = await atItsName('/sign-in', 'http')
    expect(status).toBe(403)
    expectProtection(headers, smallPage)
  })
})
