import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { always } from '../../src/asset/asset.ts'
import { OperatorError } from '../../src/lib/operator-error.ts'
import { readSiteFolder } from '../../src/site/folder.ts'
import { SiteFaults, siteFaultLine } from '../../src/site/site-faults.ts'
import { ASiteFolder, smallest } from './a-site-folder.ts'

describe('the smallest site folder', () => {
  test('has the defaults of docs/site-folder.md', async () => {
    using site = new ASiteFolder()
    expect(await site.read()).toEqual({
      root: site.dir,
      siteToml: smallest,
      handle: 'acme',
      handlePlace: { key: 'account', line: 1 },
      keptSecrets: [],
      fetchedSecrets: new Map(),
      domainsPlace: { key: 'domains', line: 3 },
      originsPlace: { key: 'origins', line: null },
      mailFromPlace: expect.anything(),
      verifyUrlPlace: expect.objectContaining({ key: 'bot_check.verify_url' }),
      trackingKey: null,
      forms: [],
      steps: [],
      destinations: [],
      assets: [],
      skipped: [],
      warnings: [],
      settings: {
        name: 'Acme Studio',
        domains: ['go.acme.example'],
        origins: [],
        robots: null,
        home: null,
        contact: null,
        mailFrom: null,
        noLeadsForHours: null,
        brand: { colour: null, background: null, credit: false },
        payloadBytesMax: 8192,
        timezone: 'UTC',
        language: null,
        storeIp: 'full',
        ignore: [],
        goals: [],
        funnels: [],
        splits: [],
        redirects: [],
        tracking: { enabled: true, autoPageview: true, requireOptIn: true, consentSignal: 'svcConsent' },
        botCheck: {
          provider: 'altcha',
          sitekey: '',
          secret: '',
          required: false,
          verifyUrl: null,
          difficulty: 'normal',
        },
        retention: { submissionsDays: null, eventsDays: null, refusedDays: 30 },
      },
    })
  })
})

describe('a site folder with many settings', () => {
  const toml = `
account = "acme"
name = "Acme Studio"
domains = ["GO.acme.example."]
origins = ["https://www.acme.example", "https://*.acme.example"]
robots = "noindex, nofollow"
home = "launch"
payload_limit = 16384
timezone = "Europe/Berlin"
language = "de"
store_ip = "truncated"
contact = "hello@acme.example"

[brand]
colour = "#0B57A4"
background = "#fff"

[tracking]
enabled = false
auto_pageview = false
require_opt_in = false
consent_signal = "okToTrack"
key = "svc_tk_${'aB3d'.repeat(8)}"

[bot_check]
provider = "turnstile"
sitekey = "site"
secret = "S3CRET"
required = true
verify_url = "http://127.0.0.1:9/verify"

[retention]
submissions = "3y"
events = "13mo"
refused = "2w"

[[forms]]
id = "contact1"
name = "Contact"
registered = false
honeypot = false
bot_check = "off"
consent_text_id = "privacy-2026-01"
redirect_url = "https://www.acme.example/thanks"
reply = { subject = "We got your message", text = "Thank you.\\r\\nWe answer within a day.\\n" }
[forms.schema]
type = "object"
required = ["email"]
properties = { email = { type = "string", format = "email" }, message = { type = "string" } }

[[pages]]
slug = "spring"
file = "pages/spring.html"
state = "preview"
`

  test('is read whole', async () => {
    using site = new ASiteFolder()
    for (const file of ['pages/launch.html', 'pages/spring.html', 'img/brand/hero.png', 'files/brochure.pdf'])
      site.write(file)
    const folder = await site.write('site.toml', toml).read()
    expect(folder.warnings.map(siteFaultLine)).toEqual([expect.stringContaining('forms[0].reply: nobody gets it')])
    expect(folder.trackingKey).toBe(`svc_tk_${'aB3d'.repeat(8)}`)
    expect(folder.settings).toEqual({
      name: 'Acme Studio',
      domains: ['go.acme.example'],
      origins: ['https://www.acme.example', 'https://*.acme.example'],
      robots: 'noindex, nofollow',
      home: 'launch',
      contact: 'hello@acme.example',
      mailFrom: null,
      noLeadsForHours: null,
      brand: { colour: '#0b57a4', background: '#ffffff', credit: false },
      payloadBytesMax: 16384,
      timezone: 'Europe/Berlin',
      language: 'de',
      storeIp: 'truncated',
      ignore: [],
      goals: [],
      funnels: [],
      splits: [],
      redirects: [],
      tracking: { enabled: false, autoPageview: false, requireOptIn: false, consentSignal: 'okToTrack' },
      botCheck: {
        provider: 'turnstile',
        sitekey: 'site',
        secret: 'S3CRET',
        required: true,
        verifyUrl: 'http://127.0.0.1:9/verify',
        difficulty: 'normal',
      },
      retention: { submissionsDays: 1096, eventsDays: 396, refusedDays: 14 },
    })
    expect(folder.forms).toEqual([
      {
        id: 'contact1',
        name: 'Contact',
        registered: false,
        honeypot: null,
        botCheck: 'off',
        consentTextId: 'privacy-2026-01',
        redirectUrl: 'https://www.acme.example/thanks',
        schema: {
          type: 'object',
          required: ['email'],
          properties: { email: { type: 'string', format: 'email' }, message: { type: 'string' } },
        },
        confirm: null,
        reply: { subject: 'We got your message', text: 'Thank you.\nWe answer within a day.\n' },
        files: {},
      },
    ])
    const at = (shown: string) => ({ shown, file: join(site.dir, shown), byteCount: 1 })
    expect(folder.assets).toEqual([
      { kind: 'page', name: 'launch', ...at('pages/launch.html'), state: 'live', ...always },
      { kind: 'page', name: 'spring', ...at('pages/spring.html'), state: 'preview', ...always },
      { kind: 'image', name: 'brand/hero.png', ...at('img/brand/hero.png'), state: 'live', ...always },
      { kind: 'file', name: 'brochure.pdf', ...at('files/brochure.pdf'), state: 'live', ...always },
    ])
  })
})

describe('a folder that is none', () => {
  test('is told as such', async () => {
    using site = new ASiteFolder()
    const gone = join(site.dir, 'gone')
    await expect(readSiteFolder(gone, {})).rejects.toThrow(OperatorError)
    await expect(readSiteFolder(gone, {})).rejects.toThrow(`There is no folder ${gone}`)
    const file = join(site.dir, 'site.toml')
    await expect(readSiteFolder(file, {})).rejects.toThrow(
      `${file} is not a folder. Name the folder it lies in, ${site.dir}`,
    )
  })

  test('because its site.toml is missing is told', async () => {
    using site = new ASiteFolder()
    rmSync(join(site.dir, 'site.toml'))
    expect(await site.faults()).toEqual([expect.stringMatching(/^site\.toml: is missing/)])
  })

  test('because its site.toml is a folder or no UTF-8 is told', async () => {
    using site = new ASiteFolder()
    site.write('site.toml', new Uint8Array([0xff]))
    expect(await site.faults()).toEqual(['site.toml: is not UTF-8 text'])
    rmSync(join(site.dir, 'site.toml'))
    mkdirSync(join(site.dir, 'site.toml'))
    expect(await site.faults()).toEqual(['site.toml: is not a file'])
  })
})

describe('a faulty folder', () => {
  test('tells every fault at once: the lines of site.toml first, then the files', async () => {
    using site = new ASiteFolder()
    site.write(
      'site.toml',
      'account = "ACME"\ndomains = ["go.acme.example", "x:80"]\nhome = "gone"\nrobts = "x"\n[tracking]\nenabled = "yes"\n[[images]]\npath = "gone.png"',
    )
    site.write('pages/b c.html').write('img/a.tif').write('img/Hero.png').write('img/hero.png')
    const faults = await site.faults()
    expect(faults.map((fault) => fault.split(': ')[0])).toEqual([
      'site.toml name',
      'site.toml:1 account',
      'site.toml:2 domains[1]',
      'site.toml:3 home',
      'site.toml:4 robts',
      'site.toml:6 tracking.enabled',
      'site.toml:8 images[0].path',
      'pages/b c.html',
      'img/hero.png',
      'img/a.tif',
    ])
  })

  test('is an operator error whose message lists them', async () => {
    using site = new ASiteFolder('home = "gone"\nrobts = "x"\n')
    const error = await site.read().catch((error: unknown) => error)
    expect(error).toBeInstanceOf(OperatorError)
    expect(error).toBeInstanceOf(SiteFaults)
    expect(String(error)).toContain(
      `${site.dir} cannot be published, and nothing was changed; 2 faults:\n  site.toml:4 home: there is no page "gone"`,
    )
    expect(String(error)).toContain('\n  site.toml:5 robts: no such setting; did you mean "robots"?')
  })

  test('whose site.toml is no TOML is judged by its files, too', async () => {
    using site = new ASiteFolder('[tracking', ['pages/x.html', 'img/A.png', 'img/a.png'])
    expect(await site.faults()).toEqual([
      expect.stringMatching(/^site\.toml:\d: not valid TOML/),
      'img/a.png: differs only in case from img/A.png',
    ])
  })
})

describe('settings', () => {
  test.each([
    ['account = "Acme"', 'account'],
    [`account = "${'a'.repeat(41)}"`, 'account'],
    ['account = ""', 'account'],
    ['name = " "', 'name'],
    ['domains = []', 'domains'],
    ['domains = ["https://go.acme.example"]', 'domains[0]'],
    ['domains = ["go.acme.example:8080"]', 'domains[0]'],
    ['domains = ["*.acme.example"]', 'domains[0]'],
    ['domains = ["go.acme.example", "GO.acme.example"]', 'domains[1]'],
    ['origins = ["www.acme.example"]', 'origins[0]'],
    ['robots = "noindex\\nSet-Cookie: x"', 'robots'],
    ['robots = "nöindex"', 'robots'],
    ['home = "/launch"', 'home'],
    ['payload_limit = 1023', 'payload_limit'],
    ['payload_limit = 16385', 'payload_limit'],
    ['payload_limit = 8192.0', 'payload_limit'],
    ['timezone = "Mars/Olympus"', 'timezone'],
    ['timezone = "+02:00"', 'timezone'],
    ['language = "da"', 'language'],
    ['store_ip = "half"', 'store_ip'],
    ['tracking.key = "svc_tk_short"', 'tracking.key'],
    ['tracking.consent_signal = "a.b"', 'tracking.consent_signal'],
    ['retention.submissions = "12h"', 'retention.submissions'],
    ['retention.events = "13m"', 'retention.events'],
    ['retention.refused = "0d"', 'retention.refused'],
    ['retention.refused = "101y"', 'retention.refused'],
    ['retention.refused = 30', 'retention.refused'],
  ])('%s is a fault of %s', async (line, key) => {
    using site = new ASiteFolder()
    const name = line.split(' ')[0] ?? ''
    const others = smallest.split('\n').filter((other) => !other.startsWith(`${name} =`))
    site.write('site.toml', [line, ...others].join('\n'))
    expect(await site.faults()).toEqual([expect.stringContaining(`site.toml:1 ${key}: `)])
  })

  test.each(['127.0.0.1', 'localhost', 'preview-7.acme.example'])('a domain may be %s', async (domain) => {
    using site = new ASiteFolder()
    site.write('site.toml', smallest.replace('go.acme.example', domain))
    expect((await site.read()).settings.domains).toEqual([domain])
  })

  test('a domain in another script is kept as punycode', async () => {
    using site = new ASiteFolder()
    site.write('site.toml', smallest.replace('go.acme', 'Büro'))
    expect((await site.read()).settings.domains).toEqual(['xn--bro-hoa.example'])
  })

  test('an empty string says the same as no key where a key may be left out', async () => {
    using site = new ASiteFolder(
      'robots = ""\nhome = ""\n[tracking]\nkey = ""\n[bot_check]\nsecret = ""\nverify_url = ""\n',
    )
    const { settings, trackingKey } = await site.read()
    expect(trackingKey).toBeNull()
    expect(settings).toMatchObject({ robots: null, home: null, botCheck: { secret: '', verifyUrl: null } })
  })

  test('a wrong tracking key is not repeated', async () => {
    using site = new ASiteFolder('tracking.key = "svc_tk_almost"\n')
    expect((await site.faults()).join()).not.toContain('almost')
  })

  test.each([
    ['1d', 1],
    ['12w', 84],
    ['1mo', 30],
    ['12mo', 365],
    ['1y', 365],
    ['100y', 36_525],
  ])('a retention of %s is %d days', async (text, days) => {
    using site = new ASiteFolder(`retention.events = "${text}"\n`)
    expect((await site.read()).settings.retention.eventsDays).toBe(days)
  })

  test('a home in preview is warned of', async () => {
    using site = new ASiteFolder('home = "soon"\n[[pages]]\nslug = "soon"\nstate = "preview"\n', ['pages/soon.html'])
    expect((await site.read()).warnings.map(siteFaultLine)).toEqual([
      expect.stringContaining('site.toml:4 home: "soon" is in preview'),
    ])
  })
})

describe('a folder of 10,000 pages', () => {
  const slugs = Array.from({ length: 10_000 }, (_, i) => `p${i}`)
  const entries = (state: string) => slugs.map((slug) => `[[pages]]\nslug = "${slug}"\nstate = "${state}"\n`).join('')

  test('is read, each with its entry', async () => {
    using site = new ASiteFolder(entries('preview'))
    mkdirSync(join(site.dir, 'pages'))
    for (const slug of slugs) writeFileSync(join(site.dir, `pages/${slug}.html`), '')
    const { assets } = await site.read()
    expect(assets.filter(({ state }) => state === 'preview')).toHaveLength(10_000)
  })

  test('that are all gone is told in full', async () => {
    using site = new ASiteFolder(entries('live'))
    expect(await site.faults()).toHaveLength(10_000)
  })
})

test('files are not opened: sparse ones of 50 GiB together take no time', async () => {
  using site = new ASiteFolder()
  for (let i = 0; i < 50; i++) truncateSync(join(site.write(`files/f${i}.bin`).dir, `files/f${i}.bin`), 1_073_741_824)
  expect((await site.read()).assets).toHaveLength(50)
})

test('a folder that is closed to the user is said to be', async () => {
  using site = new ASiteFolder()
  chmodSync(site.base, 0o755)
  chmodSync(site.dir, 0o000)
  const isRoot = process.geteuid?.() === 0
  // To root nothing is closed.
  if (isRoot) process.seteuid?.(65534)
  try {
    await expect(site.read()).rejects.toThrow(`The folder ${site.dir} is closed to this user.`)
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(site.dir, 0o755)
  }
})

describe('pages/404.html', () => {
  test('is no page', async () => {
    using site = new ASiteFolder('', ['pages/404.html', 'pages/launch.html'])
    const { assets } = await site.read()
    expect(assets.map(({ kind, name }) => [kind, name])).toEqual([
      ['page', 'launch'],
      ['error_page', '404'],
    ])
  })

  test.each(['slug = "404"', 'file = "pages/404.html"', 'slug = "lost"\nfile = "pages/404.html"\nstate = "preview"'])(
    'cannot be named by an entry: %j',
    async (entry) => {
      using site = new ASiteFolder(`[[pages]]\n${entry}\n`, ['pages/404.html'])
      expect(await site.faults()).toEqual([expect.stringContaining('pages/404.html answers where nothing is')])
    },
  )

  test('leaves its slug to another file', async () => {
    using site = new ASiteFolder('[[pages]]\nslug = "404"\nfile = "pages/area.html"\n', [
      'pages/404.html',
      'pages/area.html',
    ])
    expect((await site.read()).assets.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'page 404',
      'error_page 404',
    ])
  })

  test('is UTF-8 as pages are', async () => {
    using site = new ASiteFolder('[[pages]]\nslug = "x"').write('pages/404.html', new Uint8Array([0xe4, 0x0a]))
    expect((await site.faults()).join('\n')).toContain('pages/404.html:1: is not UTF-8')
  })
})
