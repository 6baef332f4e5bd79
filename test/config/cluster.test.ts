import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import { OperatorError } from '../../src/lib/operator-error.ts'

// [cluster] (docs/cluster.md).

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capture-config-'))
  writeFileSync(join(dir, 'cluster.key'), Buffer.alloc(32, 7), { mode: 0o600 })
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const sound: Record<string, unknown> = {
  url: 'postgres://capture:hidden@db.internal/capture?sslmode=verify-full',
  node: 'a',
  listen: '10.0.0.1:7443',
  secret_file: 'cluster.key',
  store: 's3://bucket/prefix',
  s3_region: 'eu-central-1',
  s3_access_key: 'access',
  s3_secret_key: 'secret',
}

function cluster(keys: Record<string, unknown>, env: Record<string, string> = {}) {
  const lines = Object.entries(keys).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
  writeFileSync(join(dir, 'capture.toml'), `[cluster]\n${lines.join('\n')}`)
  return loadConfig({ env, cwd: dir, systemFile: join(dir, 'none.toml') }).config.cluster
}

function faultOf(keys: Record<string, unknown>): string {
  try {
    cluster(keys)
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
  return 'no fault'
}

describe('[cluster]', () => {
  test('takes all that a node needs', () => {
    expect(cluster(sound)).toMatchObject({
      url: sound.url,
      ca: null,
      node: 'a',
      listen: { host: '10.0.0.1', port: 7443 },
      secret: Buffer.alloc(32, 7).toString('base64'),
      store: 's3://bucket/prefix',
      s3Region: 'eu-central-1',
      lead: true,
      whenAway: 'keep',
      budgets: null,
    })
  })

  test('makes a single box of a table without a URL', () => {
    expect(cluster({ node: 'a', budgets: 'redis://db' })).toBeNull()
  })

  test('reads the URL from a file and from the environment', () => {
    const { url, ...rest } = sound
    writeFileSync(join(dir, 'url'), `${url}\n`)
    expect(cluster({ ...rest, url_file: 'url' })?.url).toBe(url as string)
    expect(cluster({ ...rest, url_env: 'DATABASE' }, { DATABASE: 'postgresql://db/x' })?.url).toBe('postgresql://db/x')
  })

  test('reads the URL of a server for budgets from a file as well', () => {
    expect(cluster({ ...sound, budgets: 'rediss://:hidden@valkey.internal' })?.budgets).toBe(
      'rediss://:hidden@valkey.internal',
    )
    writeFileSync(join(dir, 'budgets'), 'redis://valkey.internal/3\n')
    expect(cluster({ ...sound, budgets_file: 'budgets' })?.budgets).toBe('redis://valkey.internal/3')
  })

  test.each([
    ['another database', { url: 'mysql://db/capture' }, 'cluster.url: must begin with postgres://'],
    [
      'a bare % in the password',
      { url: 'postgres://u:50%off@db/x' },
      'cluster.url: is not a URL. In a password, write % as',
    ],
    ['a space in the password', { url: 'postgres://u:two words@db/x' }, 'cluster.url: is not a URL'],
    ['a / in the password', { url: 'postgres://u:this/that@db/x' }, 'cluster.url: is not a URL'],
    ['two URLs', { url_env: 'DATABASE' }, 'cluster.url_env: is set beside url'],
    ['an address that leads nobody here', { listen: '0.0.0.0:7443' }, 'cluster.listen: must say where other nodes'],
    ['every address of IPv6', { listen: '[::]:7443' }, 'cluster.listen: must say where other nodes'],
    ['no port', { listen: '10.0.0.1:0' }, 'cluster.listen: must say where other nodes'],
    ['no name', { node: '' }, 'cluster.node: is missing'],
    ['a name in capitals', { node: 'A' }, 'cluster.node: must be a name such as "a"'],
    ['no address', { listen: '' }, 'cluster.listen: is missing'],
    ['no secret', { secret_file: '' }, 'cluster.secret_file: is missing'],
    ['a secret that is not there', { secret_file: 'none.key' }, 'none.key cannot be read (ENOENT)'],
    ['a secret of another length', { secret_file: 'capture.toml' }, 'bytes, not 32'],
    ['no store', { store: '' }, 'cluster.store: is missing'],
    ['a bucket without its region', { s3_region: '' }, 'cluster.s3_region: is missing'],
    ['budgets in another database', { budgets: 'memcached://db' }, 'cluster.budgets: must begin with redis:// or'],
    ['a bare % in the password of budgets', { budgets: 'redis://:50%off@db' }, 'cluster.budgets: is not a URL'],
  ])('refuses %s', (_, keys, message) => {
    expect(faultOf({ ...sound, ...keys })).toContain(message)
  })

  test('refuses a secret that every user of the machine can read', () => {
    chmodSync(join(dir, 'cluster.key'), 0o644)
    expect(faultOf(sound)).toContain('is open to every user of this machine')
  })
})
