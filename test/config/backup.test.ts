import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import { OperatorError } from '../../src/lib/operator-error.ts'

// [backup] (docs/backup-and-restore.md).

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capture-config-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const put = (name: string, text: string) => writeFileSync(join(dir, name), text)

const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kudsk2l4s5n88u6'.slice(0, 58)
const sound = 'age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa'

const bucket: Record<string, unknown> = {
  to: ['s3://bucket/prefix'],
  recipients: [sound],
  s3_region: 'eu-central-1',
  s3_access_key: 'access',
  s3_secret_key: 'secret',
}

function backup(keys: Record<string, unknown>, env: Record<string, string> = {}) {
  const lines = Object.entries(keys).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
  put('capture.toml', `[backup]\n${lines.join('\n')}`)
  return loadConfig({ env, cwd: dir, systemFile: join(dir, 'none.toml') }).config.backup
}

function faultOf(keys: Record<string, unknown>): string {
  try {
    backup(keys)
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
  return 'no fault'
}

describe('[backup]', () => {
  test('takes a folder without recipients', () => {
    expect(backup({ to: ['file:///mnt/backup/'] })).toMatchObject({ to: ['file:///mnt/backup'], recipients: [] })
  })

  test('takes a bucket with region, keys and a recipient', () => {
    expect(backup({ ...bucket, s3_endpoint: 'https://s3.example' })).toMatchObject({
      to: ['s3://bucket/prefix'],
      s3Endpoint: 'https://s3.example',
      s3Region: 'eu-central-1',
      s3AccessKey: 'access',
      s3SecretKey: 'secret',
    })
  })

  test('reads lengths of time, and 0 for no increments', () => {
    expect(backup({ base_every: '6h', increment_every: '0', keep: '7d' })).toMatchObject({
      baseEvery: 21_600_000,
      incrementEvery: 0,
      keep: 604_800_000,
    })
  })

  test('reads the keys of S3 from a file and from the environment', () => {
    put('access', 'from a file\n')
    const { s3_access_key: _, s3_secret_key: __, ...rest } = bucket
    expect(
      backup({ ...rest, s3_access_key_file: 'access', s3_secret_key_env: 'SECRET' }, { SECRET: 'hidden' }),
    ).toMatchObject({ s3AccessKey: 'from a file', s3SecretKey: 'hidden' })
  })

  test.each([
    [
      'a bucket without recipients',
      { recipients: [] },
      'backup.recipients: is empty, and nothing goes to s3://bucket/prefix',
    ],
    ['a bucket without region', { s3_region: '' }, 'backup.s3_region: is missing'],
    ['a bucket without keys', { s3_secret_key: '' }, 'backup.s3_secret_key: is missing'],
    ['an endpoint in the clear', { s3_endpoint: 'http://s3.example' }, 'must begin with https'],
    ['a target inside the data folder', { to: ['file://DIR/data/backup'] }, 'is inside data_dir'],
    ['the data folder as a target', { to: ['file://DIR/data'] }, 'is inside data_dir'],
    ['a path instead of a URL', { to: ['/mnt/backup'] }, 'file:///FOLDER'],
    ['a relative URL', { to: ['file:backup'] }, 'file:///FOLDER'],
    ['an unknown scheme', { to: ['sftp://host/backup'] }, 's3://BUCKET/PREFIX'],
    ['a bucket with a way out', { to: ['s3://bucket/../other'] }, 's3://BUCKET/PREFIX'],
    ['a cut recipient', { recipients: [recipient] }, 'a public key of age'],
    ['a mistyped recipient', { recipients: [sound.replace('t7rx', 't7rr')] }, 'a public key of age'],
    ['an interval that is none', { base_every: 'daily' }, 'a length of time'],
    ['a zero length to keep', { keep: '0' }, 'a length of time'],
  ])('refuses %s', (_, keys, message) => {
    const { to, ...rest }: Record<string, unknown> = { ...bucket, ...keys }
    expect(faultOf({ ...rest, to: (to as string[]).map((url) => url.replace('DIR', dir)) })).toContain(message)
  })

  test('refuses an identity in place of a recipient, and does not repeat it', () => {
    const identity = `AGE-SECRET-KEY-1${'Q'.repeat(58)}`
    const fault = faultOf({ to: ['file:///mnt/backup'], recipients: [identity] })
    expect(fault).toContain('must not be on this box')
    expect(fault).not.toContain(identity)
  })

  test('allows plain http on this machine', () => {
    for (const s3_endpoint of ['http://127.0.0.1:9000', 'http://localhost:9000', 'http://[::1]:9000'])
      expect(backup({ ...bucket, s3_endpoint }).s3Endpoint).toBe(s3_endpoint)
  })
})
