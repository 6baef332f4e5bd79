import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import { OperatorError } from '../../src/lib/operator-error.ts'

// [https] mode = "auto" (docs/https.md).

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capture-config-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const put = (name: string, text: string) => writeFileSync(join(dir, name), text)

function load(keys: string, env: Record<string, string> = {}) {
  put('capture.toml', `[https]\nmode = "auto"\n${keys}`)
  return loadConfig({ env, cwd: dir, systemFile: join(dir, 'none.toml') })
}

const https = (keys: string, env?: Record<string, string>) => load(keys, env).config.https

function faultOf(keys: string): string {
  try {
    load(keys)
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
  return 'no fault'
}

describe('mode "auto"', () => {
  test('needs no other key', () => {
    expect(https('')).toMatchObject({ mode: 'auto', directory: 'letsencrypt', fallbackDirectory: null })
  })

  test('takes the URL of a directory, files beside the configuration, addresses and DNS servers', () => {
    put('root.pem', '-----BEGIN CERTIFICATE-----\n…')
    const keys = [
      'email = "ops@acme.example"',
      'directory = "https://127.0.0.1:14000/dir"',
      'fallback_directory = "letsencrypt"',
      'ca_file = "root.pem"',
      'profile = "shortlived"',
      'addresses = ["203.0.113.7", "2001:DB8::7"]',
      'resolvers = ["9.9.9.9", "127.0.0.1:5353", "2620:fe::fe", "dns.acme.example:53"]',
    ]
    expect(https(keys.join('\n'))).toMatchObject({
      email: 'ops@acme.example',
      directory: 'https://127.0.0.1:14000/dir',
      fallbackDirectory: 'letsencrypt',
      caFile: '-----BEGIN CERTIFICATE-----\n…',
      profile: 'shortlived',
      addresses: ['203.0.113.7', '2001:db8::7'],
      resolvers: [
        { host: '9.9.9.9', port: 53 },
        { host: '127.0.0.1', port: 5353 },
        { host: '2620:fe::fe', port: 53 },
        { host: 'dns.acme.example', port: 53 },
      ],
    })
  })

  test.each([
    ['eab_hmac = "c2VjcmV0"', {}],
    ['eab_hmac_file = "hmac"', {}],
    ['eab_hmac_env = "ZEROSSL_HMAC"', { ZEROSSL_HMAC: 'c2VjcmV0=' }],
    ['', { CAPTURE_HTTPS_EAB_HMAC: 'c2VjcmV0' }],
  ])('takes the key of an external account binding from %p', (keys, env) => {
    put('hmac', 'c2VjcmV0\n')
    expect(https(`eab_kid = "k1"\n${keys}`, env)).toMatchObject({ eabKid: 'k1', eabHmac: 'c2VjcmV0' })
  })

  test('with port 80 closed is doubted', () => {
    expect(load('http_listen = ""').warnings).toEqual([expect.stringContaining('https.http_listen is closed')])
  })
})

describe('a fault of mode "auto" is said by its key:', () => {
  test.each([
    ['directory = "lets-encrypt"', 'https.directory: must be "letsencrypt", '],
    ['directory = "http://127.0.0.1/dir"', 'https.directory: must be an https URL'],
    ['fallback_directory = "letsencrypt"', 'https.fallback_directory: is the same as directory'],
    ['staging_directory = "letsencrypt"', 'https.staging_directory: is the same as directory'],
    ['directory = "zerossl"', 'https.directory: zerossl requires an external account binding: set eab_kid and'],
    ['fallback_directory = "google"', 'https.fallback_directory: google requires an external account binding'],
    ['email = "ops"', 'https.email: must be one email address'],
    ['ca_file = "gone.pem"', 'gone.pem cannot be read (ENOENT)'],
    ['ca_file = "capture.toml"', 'capture.toml holds no certificate in PEM'],
    ['eab_kid = "k1"', 'https.eab_kid: is set without eab_hmac, eab_hmac_file or eab_hmac_env'],
    ['eab_hmac = "c2VjcmV0"', 'https.eab_hmac: is set without eab_kid'],
    ['eab_kid = "k1"\neab_hmac = "a"\neab_hmac_file = "b"', 'https.eab_hmac_file: is set beside eab_hmac'],
    ['eab_kid = "k1"\neab_hmac_file = "gone"', 'https.eab_hmac_file: '],
    ['eab_kid = "k1"\neab_hmac_env = "NO_SUCH_VARIABLE"', 'the environment variable NO_SUCH_VARIABLE is not set'],
    ['eab_kid = "k1"\neab_hmac = "?&"', 'https.eab_hmac: is not base64url'],
    ['profile = "a b"', 'https.profile: must be the name of a profile'],
    ['addresses = ["acme.example"]', 'https.addresses[0]: must be an IP address'],
    ['resolvers = ["9.9.9.9:0"]', 'https.resolvers[0]: must be a DNS server'],
    ['resolvers = ["https://dns.example"]', 'https.resolvers[0]: must be a DNS server'],
  ])('%s', (keys, message) => {
    expect(faultOf(keys)).toContain(message)
  })

  test('the key of an external account binding is not shown', () => {
    expect(faultOf('eab_hmac = 739152761')).not.toContain('739152761')
    expect(faultOf('eab_kid = "k1"\neab_hmac = "?secret?"')).not.toContain('?secret?')
  })

  test('and is none in another mode', () => {
    put('capture.toml', '[https]\nmode = "off"\nca_file = "gone.pem"\ndirectory = "zerossl"')
    expect(() => loadConfig({ env: {}, cwd: dir })).not.toThrow()
  })
})
