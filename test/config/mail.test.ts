import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import { OperatorError } from '../../src/lib/operator-error.ts'

// [mail] (docs/mail.md).

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capture-config-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const put = (name: string, text: string) => writeFileSync(join(dir, name), text)

const whole = ['host = "mail.agency.example"', 'from = "Agency <leads@agency.example>"']

function mail(keys: string[], env: Record<string, string> = {}) {
  put('capture.toml', `[mail]\n${keys.join('\n')}`)
  return loadConfig({ env, cwd: dir, systemFile: join(dir, 'none.toml') }).config.mail
}

function faultOf(keys: string[]): string {
  try {
    mail(keys)
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
  return 'no fault'
}

describe('[mail]', () => {
  test('without a host sends nothing and reads none of its files', () => {
    expect(mail(['password_file = "no-such-file"', 'from = ""'])).toMatchObject({ host: null, password: null })
  })

  test('with host and from alone speaks STARTTLS without authentication', () => {
    expect(mail(whole)).toEqual({
      host: 'mail.agency.example',
      port: 587,
      security: 'starttls',
      user: null,
      password: null,
      from: { name: 'Agency', address: 'leads@agency.example' },
      senders: [],
      ca: null,
    })
  })

  test.each([
    ['starttls', 587],
    ['tls', 465],
  ])('takes the usual port of %s', (security, port) => {
    expect(mail([...whole, `security = "${security}"`]).port).toBe(port)
  })

  test('takes its own port', () => {
    expect(mail([...whole, 'port = 2525']).port).toBe(2525)
  })

  test.each([
    [['password = "s3cret"'], {}],
    [['password_file = "password"'], {}],
    [['password_env = "RELAY_PASSWORD"'], { RELAY_PASSWORD: 's3cret' }],
    [[], { CAPTURE_MAIL_PASSWORD: 's3cret' }],
  ])('takes the password from %p', (keys, env) => {
    put('password', 's3cret\n')
    expect(mail([...whole, 'user = "box"', ...keys], env)).toMatchObject({ user: 'box', password: 's3cret' })
  })

  test.each(['127.0.0.1', '::1', 'localhost'])('lets %s do without encryption', (host) => {
    const keys = [`host = "${host}"`, 'security = "none"', 'from = "leads@agency.example"']
    expect(mail(keys)).toMatchObject({ host, security: 'none', port: 25 })
  })

  test('trusts the certificates of a file beside the configuration', () => {
    put('root.pem', '-----BEGIN CERTIFICATE-----\n…')
    expect(mail([...whole, 'ca_file = "root.pem"']).ca).toBe('-----BEGIN CERTIFICATE-----\n…')
  })
})

describe('a fault of [mail] names its key:', () => {
  test.each([
    ['encryption given up beyond this machine', [...whole, 'security = "none"'], 'mail.security'],
    [
      'encryption given up on a private network',
      [...whole.slice(1), 'host = "10.0.0.5"', 'security = "none"'],
      'mail.security',
    ],
    ['no sender', whole.slice(0, 1), 'mail.from: is missing'],
    ['a sender with two addresses', [whole[0] ?? '', 'from = "a@b.example, c@d.example"'], 'mail.from'],
    ['a user without a password', [...whole, 'user = "box"'], 'mail.user: is set without password'],
    ['a password without a user', [...whole, 'password = "x"'], 'mail.password: is set without user'],
    [
      'two passwords',
      [...whole, 'user = "box"', 'password = "x"', 'password_env = "Y"'],
      'mail.password_env: is set beside password',
    ],
    [
      'a variable that is not set',
      [...whole, 'user = "box"', 'password_env = "Y"'],
      'the environment variable Y is not set',
    ],
    ['a file that is not there', [...whole, 'user = "box"', 'password_file = "none"'], 'ENOENT'],
    ['a URL for a host', ['host = "smtp://mail.agency.example"'], 'mail.host'],
    ['a port beyond all ports', [...whole, 'port = 65536'], 'mail.port'],
  ])('%s', (_, keys, words) => {
    expect(faultOf(keys)).toContain(words)
  })

  test('and never the password', () => {
    expect(faultOf(['password = "s3cret\\u0007"', 'host = 7'])).not.toContain('s3cret')
  })
})
