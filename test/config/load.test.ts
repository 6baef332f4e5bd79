import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConfigSource, loadConfig } from '../../src/config/load.ts'
import { OperatorError } from '../../src/lib/operator-error.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capture-config-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const write = (name: string, text: string): string => {
  const file = join(dir, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
  return file
}

const load = (source: Partial<ConfigSource> = {}) =>
  loadConfig({ env: {}, cwd: dir, systemFile: join(dir, 'etc/capture.toml'), ...source })

function faultOf(source: Partial<ConfigSource> = {}): string {
  try {
    load(source)
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
  return 'no fault'
}

describe('without a file', () => {
  test('the built-in defaults hold', () => {
    expect(load()).toEqual({
      file: null,
      warnings: [],
      config: {
        dataDir: join(dir, 'data'),
        server: {
          listen: { host: '127.0.0.1', port: 8080 },
          publicUrl: 'auto',
          previewHost: 'preview.localhost',
          previewSubdomains: false,
          trustedProxies: [],
        },
        https: {
          mode: 'off',
          listen: { host: '::', port: 443 },
          httpListen: { host: '::', port: 80 },
          redirect: true,
          hsts: 0,
          http2: true,
          email: '',
          directory: 'letsencrypt',
          fallbackDirectory: null,
          stagingDirectory: null,
          caFile: null,
          eabKid: null,
          eabHmac: null,
          profile: '',
          addresses: [],
          resolvers: [],
          folder: join(dir, 'certificates'),
        },
        mail: {
          host: null,
          port: 587,
          security: 'starttls',
          user: null,
          password: null,
          from: null,
          senders: [],
          ca: null,
        },
        delivery: { allowPrivate: [], ca: null },
        alerts: { to: [], url: null },
        backup: {
          to: [],
          baseEvery: 86_400_000,
          incrementEvery: 10_000,
          keep: 2_592_000_000,
          recipients: [],
          s3Endpoint: null,
          s3Region: null,
          s3AccessKey: null,
          s3SecretKey: null,
        },
        cluster: null,
        operator: { listen: { host: '127.0.0.1', port: 9180 } },
        console: { host: null, listen: { host: '127.0.0.1', port: 8081 }, origins: [] },
        limits: {
          formPerIp: 30,
          formPerOrigin: 300,
          eventPerIp: 30,
          eventPerOrigin: 300,
          viewPerIp: 300,
          clickPerIp: 300,
          requestsPerIp: 10_000,
          windowSeconds: 60,
          minFreeMb: 256,
          uploadMbPerAccount: 1024,
          clamd: null,
        },
        log: { level: 'info', format: 'json', audit: false },
      },
    })
  })
})

describe('the file', () => {
  test('is ./capture.toml before the one of the system', () => {
    write('etc/capture.toml', 'log.level = "error"')
    expect(load().file).toBe(join(dir, 'etc/capture.toml'))
    const own = write('capture.toml', 'log.level = "warn"')
    expect(load()).toMatchObject({ file: own, config: { log: { level: 'warn' } } })
  })

  test('named by --config comes before both, relative to the current folder', () => {
    write('capture.toml', 'log.level = "warn"')
    const named = write('sub/other.toml', 'log.level = "debug"')
    expect(load({ file: 'sub/other.toml' })).toMatchObject({ file: named, config: { log: { level: 'debug' } } })
  })

  test('named by --config that is missing is an error, whatever else there is', () => {
    write('capture.toml', '')
    expect(faultOf({ file: 'gone.toml' })).toContain(join(dir, 'gone.toml'))
  })

  test('that is a folder, too large or no UTF-8 is an error', () => {
    mkdirSync(join(dir, 'folder.toml'))
    expect(faultOf({ file: 'folder.toml' })).toContain('it is not a file')
    write('large.toml', '#'.repeat(300_000))
    expect(faultOf({ file: 'large.toml' })).toContain('larger than')
    writeFileSync(join(dir, 'latin.toml'), new Uint8Array([0x23, 0xe9]))
    expect(faultOf({ file: 'latin.toml' })).toContain('not UTF-8')
  })

  test('is the place that data_dir is relative to', () => {
    write('sub/capture.toml', 'data_dir = "../kept"')
    expect(load({ file: 'sub/capture.toml' }).config.dataDir).toBe(join(dir, 'kept'))
    write('abs.toml', 'data_dir = "/var/lib/capture"')
    expect(load({ file: 'abs.toml' }).config.dataDir).toBe('/var/lib/capture')
  })
})

test('[https] is read with its folder beside the file', () => {
  write(
    'sub/capture.toml',
    'server.listen = ""\n[https]\nmode = "files"\nlisten = "0.0.0.0:8443"\nhttp_listen = ""\nhsts = "180d"\nhttp2 = false\nfolder = "tls"',
  )
  expect(load({ file: 'sub/capture.toml' }).config).toMatchObject({
    server: { listen: null },
    https: {
      mode: 'files',
      listen: { host: '0.0.0.0', port: 8443 },
      httpListen: null,
      hsts: 180 * 86_400,
      http2: false,
      folder: join(dir, 'sub/tls'),
    },
  })
})

describe('the address for monitoring', () => {
  test('is closed by an empty text', () => {
    write('capture.toml', 'operator.listen = ""')
    expect(load().config.operator).toEqual({ listen: null })
    expect(load({ env: { CAPTURE_OPERATOR_LISTEN: '[::1]:9' } }).config.operator.listen).toEqual({
      host: '::1',
      port: 9,
    })
  })

  test('cannot be the one of the sites', () => {
    write('capture.toml', '[server]\nlisten = "127.0.0.1:80"\n[operator]\nlisten = "127.0.0.1:80"')
    expect(faultOf()).toContain('capture.toml:4 operator.listen: is the address of server.listen')
    write('capture.toml', '[server]\nlisten = "127.0.0.1:0"\n[operator]\nlisten = "127.0.0.1:0"')
    expect(faultOf()).toBe('no fault')
  })

  test.each(['0.0.0.0:9180', '[::]:9180', '203.0.113.7:9180'])('open to everybody (%s) is a warning', (listen) => {
    write('capture.toml', `operator.listen = "${listen}"`)
    expect(load().warnings).toEqual([expect.stringContaining('operator.listen')])
  })

  test.each(['localhost:9180', '10.1.2.3:9180', '[::1]:9180'])('of a private network (%s) is none', (listen) => {
    write('capture.toml', `operator.listen = "${listen}"`)
    expect(load().warnings).toEqual([])
  })
})

describe('the environment', () => {
  test('overrides every kind of key', () => {
    write('capture.toml', '[server]\nlisten = "127.0.0.1:1"\npublic_url = "http"\n[limits]\nform_per_ip = 5')
    const env = {
      CAPTURE_DATA_DIR: 'elsewhere',
      CAPTURE_SERVER_LISTEN: '[::1]:9090',
      CAPTURE_SERVER_PREVIEW_HOST: 'Preview.Acme.Example',
      CAPTURE_SERVER_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      CAPTURE_LIMITS_MIN_FREE_MB: '0',
      CAPTURE_LOG_FORMAT: 'pretty',
    }
    const { config, warnings } = load({ env })
    expect(warnings).toEqual([])
    expect(config).toMatchObject({
      dataDir: join(dir, 'elsewhere'),
      server: {
        listen: { host: '::1', port: 9090 },
        publicUrl: { scheme: 'http', port: null },
        previewHost: 'preview.acme.example',
        previewSubdomains: false,
        trustedProxies: ['10.0.0.0/8', '::1/128'],
      },
      limits: { formPerIp: 5, minFreeMb: 0 },
      log: { format: 'pretty', level: 'info' },
    })
  })

  test('can empty a list', () => {
    write('capture.toml', 'server.trusted_proxies = ["10.0.0.0/8"]')
    expect(load({ env: { CAPTURE_SERVER_TRUSTED_PROXIES: '' } }).config.server.trustedProxies).toEqual([])
  })

  test('that is wrong is named by its variable', () => {
    const fault = faultOf({ env: { CAPTURE_LIMITS_FORM_PER_IP: 'many', CAPTURE_SERVER_TRUSTED_PROXIES: '::1,x' } })
    expect(fault).toContain(
      'CAPTURE_LIMITS_FORM_PER_IP limits.form_per_ip: must be an integer from 1 to 2147483647; found "many"',
    )
    expect(fault).toContain('CAPTURE_SERVER_TRUSTED_PROXIES server.trusted_proxies[1]: must be an address range')
  })

  test('mends a value of the file that is wrong', () => {
    write('capture.toml', 'log.level = "loud"')
    expect(load({ env: { CAPTURE_LOG_LEVEL: 'warn' } }).config.log.level).toBe('warn')
  })

  test('does not hide that a table of the file is none', () => {
    write('capture.toml', 'log = "loud"')
    expect(faultOf({ env: { CAPTURE_LOG_LEVEL: 'warn' } })).toContain('capture.toml:1 log: must be a table')
  })

  test('with an unknown CAPTURE_ variable warns, and names the one that was meant', () => {
    const { warnings } = load({
      env: { CAPTURE_SERVER_LISTN: 'x', CAPTURE_BANANA: 'y', OTHER: 'z', CAPTURE_GONE: undefined },
    })
    expect(warnings).toEqual([
      'unknown environment variable CAPTURE_BANANA: it stands for no key of the configuration',
      'unknown environment variable CAPTURE_SERVER_LISTN: did you mean CAPTURE_SERVER_LISTEN?',
    ])
  })
})

describe('a wrong configuration', () => {
  test('lists every fault with file, line, key, what was expected and what was meant', () => {
    const file = write(
      'capture.toml',
      'data_dir = 3\n[server]\nlistn = "x"\npublic_url = "gopher"\n[limits]\nform_per_ip = 0\nmin_free_mb = -1\nwindow_seconds = 2147483648\n[log]\nlevel = "loud"',
    )
    expect(faultOf().split('\n')).toEqual([
      'The configuration cannot be used:',
      `  ${file}:1 data_dir: must be a string; found 3 (an integer)`,
      `  ${file}:3 server.listn: no such setting; did you mean "listen"?`,
      `  ${file}:4 server.public_url: must be "auto", "http", "https", or a scheme with a port such as "https:8443"; found "gopher"`,
      `  ${file}:6 limits.form_per_ip: must be an integer from 1 to 2147483647; found 0 (an integer)`,
      `  ${file}:7 limits.min_free_mb: must be an integer from 0 to 2147483647; found -1 (an integer)`,
      `  ${file}:8 limits.window_seconds: must be an integer from 1 to 2147483647; found 2147483648 (an integer)`,
      `  ${file}:10 log.level: must be "debug", "info", "warn" or "error"; found "loud"`,
    ])
  })

  test('that is no TOML names file and line', () => {
    const file = write('capture.toml', '\n[server\n')
    expect(faultOf()).toContain(`${file}:`)
    expect(faultOf()).toContain('not valid TOML')
  })

  test.each(['"forever"', '"3y"', '"-1d"'])('with hsts = %s is refused', (value) => {
    write('capture.toml', `[https]\nhsts = ${value}`)
    expect(faultOf()).toContain('https.hsts: must be an age up to 2 years such as "180d", or "0"')
  })

  test('that holds keys which contradict each other names the line of the key', () => {
    const mail = '[mail]\nhost = "mail.example"\nfrom = "leads@agency.example"\n'
    write('capture.toml', `${mail}security = "none"`)
    expect(faultOf()).toContain('capture.toml:4 mail.security: "none" is only for a mail server on this machine')
    expect(faultOf({ env: { CAPTURE_MAIL_SECURITY: 'none' } })).toContain('  CAPTURE_MAIL_SECURITY mail.security:')
  })

  test('that lacks a key which another key needs names the line of the table', () => {
    write('capture.toml', '\n[mail]\nhost = "mail.example"')
    expect(faultOf()).toContain('capture.toml:2 mail.from: is missing')
  })

  test.each([
    ['[console]\nlisten = "127.0.0.1:8080"', 'capture.toml:2 console.listen: is the address of server.listen'],
    ['[operator]\nlisten = "127.0.0.1:8081"', 'capture.toml console.listen: is the address of operator.listen'],
    [
      '[https]\nmode = "files"\nhttp_listen = "[::]:443"',
      'capture.toml:3 https.http_listen: is the address of https.listen',
    ],
    [
      'server.listen = "[::]:443"\nhttps.mode = "files"',
      'capture.toml:2 https.listen: is the address of server.listen',
    ],
    ['[console]\nhost = "preview.localhost"', 'capture.toml:2 console.host: is the name of server.preview_host'],
  ])('that gives two things one address (%j) is refused', (toml, fault) => {
    write('capture.toml', toml)
    expect(faultOf()).toContain(fault)
  })

  test('that gives a listener the address of one that is closed is accepted', () => {
    write('capture.toml', 'server.listen = "[::]:443"')
    expect(faultOf()).toBe('no fault')
  })

  test('that closes every listener is refused', () => {
    write('capture.toml', '\nserver.listen = ""')
    expect(faultOf()).toContain('capture.toml:2 server.listen: is "" and https.mode is "off": nothing would listen')
  })

  test.each(['""', '"~/data"'])('with data_dir = %s is refused', (value) => {
    write('capture.toml', `data_dir = ${value}`)
    expect(faultOf()).toContain('capture.toml:1 data_dir:')
  })

  test('with a preview host that holds a port is refused', () => {
    write('capture.toml', 'server.preview_host = "preview.example:80"')
    expect(faultOf()).toContain('without a port')
  })
})

test('trusting everybody is possible, and warned of', () => {
  write('capture.toml', 'server.trusted_proxies = ["0.0.0.0/0"]')
  expect(load().warnings).toEqual([expect.stringContaining('forge')])
})
