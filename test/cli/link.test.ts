import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ADataFolder } from './a-data-folder.ts'

const site = aSite({
  domains: ['go.acme.test', 'links.acme.test'],
  files: {
    'pages/launch.html': 'Launch',
    'pages/draft.html': 'Draft',
    'pages/soon.html': 'Soon',
    'pages/over.html': 'Over',
    'files/a.pdf': 'A',
    'img/a.svg': '<svg/>',
  },
  previews: ['pages/draft.html'],
  home: 'launch',
  pages: [
    { slug: 'soon', live_from: '2099-01-01 08:00' },
    { slug: 'over', live_until: '2026-01-01 08:00' },
  ],
  redirects: [{ from: '/spring/*', to: '/launch' }],
})

let folder: ADataFolder
beforeAll(async () => {
  folder = await ADataFolder.with(site)
})
afterAll(() => folder[Symbol.dispose]())

describe('link sign', () => {
  test('prints an address on the first domain', async () => {
    const { stdout } = await folder.done(['link', 'sign', 'acme', '--to', 'http://go.acme.test/launch'])
    expect(stdout).toMatch(/^http:\/\/go\.acme\.test:8080\/_svc\/c\/\S+\n$/)
  })

  test('is on the destination’s host where the account has it', async () => {
    const printed = await folder.json(['link', 'sign', 'acme', '--to', 'https://links.acme.test/launch'])
    expect(printed).toMatchObject({ domain: 'links.acme.test', destination: 'https://links.acme.test/launch' })
  })

  test('holds no e-mail address', async () => {
    const argv = ['link', 'sign', 'acme', '--to', 'http://go.acme.test/launch', '--email', 'ada.lovelace@example.test']
    const token = (await folder.done(argv)).stdout.trim().split('/').at(-1) ?? ''
    const readable = token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
    expect([token, ...readable].join(' ')).not.toMatch(/lovelace|example\.test/i)
  })

  test.each([
    'https://elsewhere.test/launch',
    'mailto:ada@example.test',
    'javascript:alert(1)',
    '/launch',
    'https://go.acme.test@elsewhere.test/',
    'https://user:secret@go.acme.test/',
  ])('refuses %s, as the redirect would', async (to) => {
    const { status, stdout, stderr } = await folder.run(['link', 'sign', 'acme', '--to', to])
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('would refuse'),
    })
  })

  test('refuses a destination on another domain of the account than the link', async () => {
    const argv = ['link', 'sign', 'acme', '--to', 'https://links.acme.test/', '--domain', 'go.acme.test']
    expect((await folder.run(argv)).status).toBe(1)
  })

  test.each([
    'http://go.acme.test/launch?email=ada@example.test',
    'http://go.acme.test/launch?to=ada%2540example.test',
    'http://go.acme.test/launch#ada@example.test',
  ])('refuses %s: the address could be read out of the link', async (to) => {
    const { status, stdout, stderr } = await folder.run(['link', 'sign', 'acme', '--to', to])
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: expect.stringContaining('--email') })
    expect(stderr).not.toContain('example.test')
  })

  test.each([
    [['--to', 'http://go.acme.test/', '--domain', 'gp.acme.test'], 1, 'Did you mean go.acme.test?'],
    [['--to', 'http://go.acme.test/', '--domain', 'http://go.acme.test'], 2, '--domain takes'],
    [['--to', 'http://go.acme.test/', '--email', 'ada'], 2, '--email takes'],
    [['--to', 'http://go.acme.test/', '--message', 'ada@example.test'], 2, 'A message id is'],
    [[], 2, '--to is missing'],
    [['--to', `http://go.acme.test/${'x'.repeat(2000)}`], 1, 'longer than 2,000 characters'],
  ])('with %j ends with %d and says why', async (words, status, message) => {
    const ran = await folder.run(['link', 'sign', 'acme', ...words])
    expect(ran).toEqual({ status, stdout: '', stderr: expect.stringContaining(message) })
  })
})

describe('link rewrite', () => {
  const mail = `<p><a href="http://go.acme.test/launch">Launch</a> <a href="mailto:ada@example.test">Ada</a>
<a href="https://elsewhere.test/">Elsewhere</a> <a href="http://go.acme.test/unsubscribe?x=1">Unsubscribe</a></p>\n`

  test('prints the mail with only the destination of its own links changed', async () => {
    writeFileSync(folder.path('mail.html'), mail)
    const { stdout } = await folder.done(['link', 'rewrite', 'acme', 'mail.html'])
    const [link] = stdout.match(/http:\/\/go\.acme\.test:8080\/_svc\/c\/[\w.-]+/) ?? []
    expect(stdout).toBe(mail.replace('http://go.acme.test/launch', link ?? 'no link'))
  })

  test('lists on stderr every link it left, and why', async () => {
    writeFileSync(folder.path('mail.html'), mail)
    const lines = (await folder.done(['link', 'rewrite', 'acme', 'mail.html'])).stderr.trimEnd().split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^left: mailto:ada@example\.test: .+/),
      expect.stringMatching(/^left: https:\/\/elsewhere\.test\/: .+/),
      expect.stringMatching(/^left: http:\/\/go\.acme\.test\/unsubscribe\?x=1: .+/),
      '1 click link signed, 3 links left as they were.',
    ])
  })

  test('leaves a link out of whose click link an e-mail address could be read', async () => {
    const link = '<a href="http://go.acme.test/launch?email=ada%40example.test">x</a>'
    writeFileSync(folder.path('mail.html'), link)
    const { stdout, stderr } = await folder.done(['link', 'rewrite', 'acme', 'mail.html'])
    expect({ stdout, stderr }).toEqual({
      stdout: link,
      stderr: expect.stringContaining('it contains an email address'),
    })
  })

  test('shows control characters of a link instead of sending them to the terminal', async () => {
    writeFileSync(folder.path('mail.html'), '<a href="x:\u001b[2J">x</a>')
    expect((await folder.done(['link', 'rewrite', 'acme', 'mail.html'])).stderr).not.toContain('\u001b')
  })

  describe('warns', () => {
    const mailOf = (...paths: string[]) => paths.map((path) => `<a href="http://go.acme.test${path}">x</a>`).join('\n')
    const dead = mailOf('/launch', '/lanch', '/draft')
    const warnings = [
      {
        kind: 'dead_destination',
        file: 'mail.html',
        line: 2,
        message: expect.stringContaining('Did you mean /launch?'),
      },
      {
        kind: 'dead_destination',
        file: 'mail.html',
        line: 3,
        message: expect.stringContaining('go.acme.test/draft is'),
      },
    ]
    const rewritten = (html: string, ...argv: string[]) => {
      writeFileSync(folder.path('mail.html'), html)
      return folder.run(['link', 'rewrite', 'acme', 'mail.html', ...argv])
    }

    test('of destinations that are not there, with their lines, on stderr and in --json', async () => {
      const { status, stdout, stderr } = await rewritten(dead, '--json')
      expect({ status, warnings: JSON.parse(stdout).warnings }).toEqual({ status: 0, warnings })
      expect(stderr).toContain('warning: mail.html:2: go.acme.test/lanch is neither live nor redirected')
    })

    test.each([
      ['/draft', 'is in preview'],
      ['/soon', 'live_from is 2099-01-01 08:00'],
      ['/over', 'live_until is over'],
    ])('of %s, which visitors do not see now, and says why', async (path, why) => {
      expect((await rewritten(mailOf(path))).stderr).toContain(why)
    })

    test('with --strict prints nothing else and ends with 1', async () => {
      const { status, stdout, stderr } = await rewritten(dead, '--strict')
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr.trim().split('\n')).toHaveLength(3)
    })

    test('not of pages, images, files, redirects, the home page and paths of the service', async () => {
      const there = [
        '/launch?a=1#b',
        '/launch/',
        '/',
        '/spring/old',
        '/_svc/file/a.pdf',
        '/_svc/img/a.svg',
        '/_svc/v1.js',
      ]
      const { status, stdout } = await rewritten(mailOf(...there), '--strict', '--json')
      expect({ status, warnings: JSON.parse(stdout).warnings }).toEqual({ status: 0, warnings: [] })
    })

    test('not of links to other hosts, which it leaves', async () => {
      const { stdout } = await rewritten('<a href="https://elsewhere.test/lanch">x</a>', '--strict', '--json')
      expect(JSON.parse(stdout)).toMatchObject({ signed: 0, warnings: [] })
    })

    test('when one link is signed', async () => {
      const argv = ['link', 'sign', 'acme', '--to', 'http://links.acme.test/_svc/file/b.pdf']
      const { status, stdout, stderr } = await folder.run(argv)
      expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('/_svc/c/') })
      expect(stderr).toStartWith('warning: links.acme.test/_svc/file/b.pdf is neither live nor redirected')
      expect((await folder.json(argv)).warnings).toMatchObject([{ kind: 'dead_destination', file: null, line: null }])
      expect(await folder.run([...argv, '--strict'])).toMatchObject({ status: 1, stdout: '' })
    })
  })

  test('prints as JSON the mail and what it left', async () => {
    writeFileSync(folder.path('mail.html'), '<a href="tel:1">x</a>')
    expect(await folder.json(['link', 'rewrite', 'acme', 'mail.html'])).toEqual({
      account: 'acme',
      domain: 'go.acme.test',
      signed: 0,
      left: [{ href: 'tel:1', why: expect.any(String) }],
      warnings: [],
      html: '<a href="tel:1">x</a>',
    })
  })

  test.each([
    ['none.html', null],
    ['latin1.html', Buffer.from([0x3c, 0xe4, 0x3e])],
  ])('refuses %s with a sentence', async (name, bytes) => {
    if (bytes !== null) writeFileSync(folder.path(name), bytes)
    const ran = await folder.run(['link', 'rewrite', 'acme', name])
    expect(ran).toEqual({ status: 1, stdout: '', stderr: expect.stringContaining(`${name} cannot be read`) })
  })
})

describe('on a running server', () => {
  let box: Box
  beforeAll(async () => {
    box = await Box.start([site])
  }, boxStartMsMax)
  afterAll(() => box.stop())

  test('a signed link leads to its destination and records the message, and nobody’s address', async () => {
    const argv = [
      'link',
      'sign',
      'acme',
      '--to',
      'http://go.acme.test/launch?a=1',
      '--message',
      'news-1',
      '--email',
      'ada@example.test',
    ]
    const { pathname } = new URL((await box.run(argv)).stdout)
    const answer = await box.send({ method: 'GET', host: 'go.acme.test', path: pathname, headers: {}, body: null })
    expect({ status: answer.status, location: answer.headers.get('location') }).toEqual({
      status: 302,
      location: 'http://go.acme.test/launch?a=1',
    })
    const clicks = (await box.events()).filter(({ event }) => event === '$click')
    expect(clicks).toMatchObject([{ properties: { message: 'news-1' } }])
    expect(JSON.stringify(clicks)).not.toContain('ada@')
  })
})
