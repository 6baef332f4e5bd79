// Malformed percent-encoding and traversal in every form: nothing in a request ever becomes a path on the disk.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { type RawAnswer, RawConnection, rawRequest } from '../harness/raw-http.ts'

let box: Box

beforeAll(async () => {
  const files = {
    'pages/launch.html': '<p>launch</p>',
    'img/brand/hero.png': 'hero image',
    'files/brochure.pdf': 'brochure file',
  }
  box = await Box.start([aSite({ files }), aSite({ account: 'beta', files: { 'img/beta.png': 'beta image' } })])
}, boxStartMsMax)

afterAll(() => box.stop())

afterEach(async () => {
  expect((await box.send(formRequest())).status).toBe(200)
})

async function get(path: string): Promise<RawAnswer | null> {
  using connection = await RawConnection.open(box.port)
  await connection.say(rawRequest([`GET ${path} HTTP/1.1`, 'Host: go.acme.test']))
  return await connection.answer()
}

describe('a slug is not found when it is', () => {
  test.each([
    '/%',
    '/%z',
    '/%zz',
    '/%ff',
    '/%c0%ae%c0%ae',
    '/%00',
    '/launch%00',
    '/launch%2f',
    '/launch%5c',
    '//launch',
    '/launch//',
    '/LAUNCH',
    '/launch.html',
    '/launch%2ehtml',
    '/pages/launch',
    '/pages%2flaunch',
    '/..%2flaunch',
    '/%2e%2e%2flaunch',
    '/..%5claunch',
    '/..;/launch',
    '/launch;v=1',
    '/%252e%252e%252flaunch',
    '/%6caunch%20',
    '/\xff\xfe',
    '/.',
    '/..',
    '/../../../../etc/passwd',
    '/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
    '/etc/passwd',
    '/capture.toml',
    '/data/capture.db',
    '/.git/config',
    '/_svc',
    '/_svc/',
    '/_svc/f/',
    '/_svc/f/contact1/',
    '/_svc/f/contact1/x',
    '/_svc//e',
    '/_svc/e/',
    '/_svc/rc/',
    '/_preview/launch',
    '/__proto__',
    '/constructor',
    '/toString',
  ])('%j', async (path) => {
    const answer = await get(path)
    expect(answer?.status).toBe(404)
    expect(answer?.body).not.toMatch(/<p>launch|root:/)
  })
})

test.each(['/launch', '/la%75nch', '/./launch', '/x/../launch', '/%2e/launch', '/launch?a=%zz&b=%00'])(
  'an address that the URL standard reads as /launch is served: %s',
  async (path) => {
    expect(await get(path)).toMatchObject({ status: 200, body: '<p>launch</p>' })
  },
)

/** What climbs, in the writings by which it has been got past filters. */
const climbs = [
  '../',
  '..%2f',
  '..%2F',
  '%2e%2e/',
  '%2e%2e%2f',
  '%2E%2E%2F',
  '.%2e/',
  '..\\',
  '..%5c',
  '%2e%2e%5c',
  '%252e%252e%252f',
  '..%252f',
  '%c0%ae%c0%ae/',
  '%c0%ae%c0%ae%c0%af',
  '..%c0%af',
  '..%c1%9c',
  '%uff0e%uff0e%u2215',
  '%ef%bc%8e%ef%bc%8e%ef%bc%8f',
  '....//',
  '..../',
  '..;/',
  '..%00/',
  '%00../',
  './../',
  '//../',
]
const targets = ['etc/passwd', 'capture.toml', 'data/capture.db', 'sites/acme/site.toml', 'beta.png']

describe.each(['/_svc/img/', '/_svc/file/', '/_svc/img/brand/'])('%s leads nowhere else', (prefix) => {
  test.each(climbs)('by %j', async (climb) => {
    const paths = [1, 2, 3, 8].flatMap((times) => targets.map((target) => prefix + climb.repeat(times) + target))
    const answers = await Promise.all(paths.map(get))
    expect(answers.map((answer) => answer?.status)).toEqual(paths.map(() => 404))
  })

  test.each([
    '/etc/passwd',
    '%2fetc%2fpasswd',
    '/',
    '.',
    '..',
    '%',
    '%zz',
    '%00',
    'C:%5cwindows%5cwin.ini',
    'file:///etc/passwd',
    'http://go.beta.test/_svc/img/beta.png',
    '__proto__',
    'constructor',
    '~root',
    'beta.png',
  ])('by the name %j', async (name) => {
    expect((await get(prefix + name))?.status).toBe(404)
  })
})

describe('an image or file is found by its own name alone', () => {
  test.each(['/_svc/img/brand/hero.png', '/_svc/img/brand/%68ero.png', '/_svc/img/./brand/hero.png?v=2'])(
    '%s',
    async (path) => {
      expect(await get(path)).toMatchObject({ status: 200, body: 'hero image' })
    },
  )

  test.each([
    '/_svc/img/brand/hero.png/',
    '/_svc/img/brand//hero.png',
    '/_svc/img//brand/hero.png',
    '/_svc/img/brand%2fhero.png%00',
    '/_svc/img/brand/hero.png%00.jpg',
    '/_svc/img/brand/hero.png%20',
    '/_svc/img/brand/hero.png.',
    '/_svc/img/brand/HERO.png',
    '/_svc/img/brand/hero.png;x',
    '/_svc/img/brand',
    '/_svc/img/brand/',
    '/_svc/img/brochure.pdf',
    '/_svc/file/brand/hero.png',
    '/_svc/file/%2e%2e%2fimg%2fbrand%2fhero.png',
  ])('not as %s', async (path) => {
    expect((await get(path))?.status).toBe(404)
  })
})

test('a click token in any form is a broken link, not a fault', async () => {
  const tokens = ['x', '%00', '%zz', '..%2f', '%ff', '__proto__', 'a'.repeat(3000), 'a.b.c', '.', '..', '%2e%2e']
  const answers = await Promise.all(tokens.map((token) => get(`/_svc/c/${token}`)))
  expect(answers.map((answer) => answer?.status)).toEqual(tokens.map(() => 404))
})
