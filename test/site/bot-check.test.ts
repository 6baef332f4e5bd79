import { describe, expect, test } from 'bun:test'
import { siteFaultLine } from '../../src/site/site-faults.ts'
import { ASiteFolder } from './a-site-folder.ts'

const botCheck = (...lines: string[]) => `[bot_check]\n${lines.join('\n')}\n`
const secretOf = async (site: ASiteFolder, env: Record<string, string> = {}) =>
  (await site.read(env)).settings.botCheck.secret

describe('the secret of a bot check', () => {
  test('may stand in site.toml', async () => {
    using site = new ASiteFolder(botCheck('secret = "S3CRET"'))
    expect(await secretOf(site)).toBe('S3CRET')
  })

  test('may come from the environment', async () => {
    using site = new ASiteFolder(botCheck('secret_env = "ACME_SECRET"'))
    expect(await secretOf(site, { ACME_SECRET: 'S3CRET' })).toBe('S3CRET')
  })

  test('may come from a file, relative to the folder or not', async () => {
    using site = new ASiteFolder(botCheck('secret_file = "../secret"'), ['../secret'])
    site.write('../secret', 'S3CRET\n')
    expect(await secretOf(site)).toBe('S3CRET')
    using other = new ASiteFolder(botCheck(`secret_file = "${site.base}/secret"`))
    expect(await secretOf(other)).toBe('S3CRET')
  })

  test.each([
    [
      botCheck('secret_env = "ACME_SECRET"'),
      'site.toml:5 bot_check.secret_env: the environment variable ACME_SECRET is not set',
    ],
    [botCheck('secret_env = "$ACME"'), 'site.toml:5 bot_check.secret_env: must be the name of an environment variable'],
    [botCheck('secret_file = "gone"'), 'site.toml:5 bot_check.secret_file: gone cannot be read'],
    [botCheck('secret_file = "empty"'), 'site.toml:5 bot_check.secret_file: empty cannot be read, is empty'],
    [botCheck('secret_file = "long"'), 'site.toml:5 bot_check.secret_file: long cannot be read'],
    [botCheck('secret_file = "lines"'), 'site.toml:5 bot_check.secret_file: does not contain a secret'],
    [
      botCheck('secret = "S3CRET"', 'secret_file = "lines"'),
      'site.toml:6 bot_check.secret_file: only one of secret, secret_file can be given',
    ],
    [botCheck('secret = 53728'), 'site.toml:5 bot_check.secret: must be a string; found an integer'],
  ])('is a fault, and not repeated, in %j', async (toml, fault) => {
    using site = new ASiteFolder(toml)
    site.write('empty', '\n').write('long', 'S3CRET'.repeat(1000)).write('lines', 'S3CRET\nS3CRET')
    const faults = await site.faults()
    expect(faults).toEqual([expect.stringContaining(fault)])
    expect(faults.join()).not.toMatch(/S3CRET|53728/)
  })
})

describe('a provider elsewhere', () => {
  const needs = [
    expect.stringContaining('bot_check.sitekey: hcaptcha needs a sitekey'),
    expect.stringContaining('bot_check.secret: hcaptcha needs secret'),
  ]

  test('needs sitekey and secret when the account requires a bot check', async () => {
    using site = new ASiteFolder(botCheck('provider = "hcaptcha"', 'required = true'))
    expect(await site.faults()).toEqual(needs)
  })

  test('needs them when any form does', async () => {
    using site = new ASiteFolder(`${botCheck('provider = "hcaptcha"')}[[forms]]\nid = "contact1"\nbot_check = "on"\n`)
    expect(await site.faults()).toEqual(needs)
  })

  test('needs none when nothing requires it', async () => {
    using site = new ASiteFolder(`${botCheck('provider = "hcaptcha"')}[[forms]]\nid = "contact1"\n`)
    expect(await site.faults()).toEqual([])
  })

  test('is told of a missing variable once, not that the secret is missing too', async () => {
    using site = new ASiteFolder(
      botCheck('provider = "hcaptcha"', 'required = true', 'sitekey = "s"', 'secret_env = "GONE"'),
    )
    expect(await site.faults()).toHaveLength(1)
  })

  test('of another name is a fault', async () => {
    using site = new ASiteFolder(botCheck('provider = "captcha"'))
    expect(await site.faults()).toEqual([expect.stringContaining('bot_check.provider: must be "altcha", "turnstile"')])
  })
})

test('altcha needs nothing', async () => {
  using site = new ASiteFolder(botCheck('required = true'))
  expect(await site.faults()).toEqual([])
})

describe('verify_url', () => {
  test.each([
    'https://verify.example/siteverify?x=1',
    'http://127.0.0.1:9/x',
    'http://127.8.8.8/',
    'http://[::1]:9/x',
    'http://localhost/x',
  ])('may be %s', async (url) => {
    using site = new ASiteFolder(botCheck('provider = "turnstile"', `verify_url = "${url}"`))
    expect((await site.read()).settings.botCheck.verifyUrl).toBe(url)
  })

  test.each([
    'http://verify.example/',
    'http://127.0.0.1.example/',
    'http://localhost.example/',
    'ftp://127.0.0.1/',
    '/verify',
    'https://user:pass@verify.example/',
    'https://verify.example/#x',
  ])('must not be %s', async (url) => {
    using site = new ASiteFolder(botCheck('provider = "turnstile"', `verify_url = "${url}"`))
    expect(await site.faults()).toEqual([expect.stringContaining('bot_check.verify_url: must be an https:// address')])
  })

  test('for altcha is warned of', async () => {
    using site = new ASiteFolder(botCheck('verify_url = "https://verify.example/"'))
    expect((await site.read()).warnings.map(siteFaultLine)).toEqual([
      expect.stringContaining('bot_check.verify_url: is not used'),
    ])
  })
})
