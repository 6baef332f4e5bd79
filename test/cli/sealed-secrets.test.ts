// Secrets that the box must read again are sealed under a key outside of its database (docs/decisions/0077).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/lib/clock.ts'
import { SqliteAccountStore } from '../../src/storage/sqlite/account/account-store.ts'
import { SqliteSigningKeyStore } from '../../src/storage/sqlite/account/signing-key-store.ts'
import { SqliteUserStore } from '../../src/storage/sqlite/console/user-store.ts'
import { openConnection } from '../../src/storage/sqlite/database/connection.ts'
import { SqliteDeliveryControl } from '../../src/storage/sqlite/delivery/delivery-control.ts'
import { SqliteCertificateStore } from '../../src/storage/sqlite/https/certificate-store.ts'
import { sealOf } from '../../src/storage/sqlite/seal/box-seal.ts'
import { sealedNames } from '../../src/storage/sqlite/seal/sealed-columns.ts'
import { aSite } from '../harness/a-site.ts'
import { ADataFolder } from './a-data-folder.ts'

const webhookSecret = (text: string): string =>
  `whsec_${Buffer.from(`${text}-0123456789-0123456789`).toString('base64')}`
const privateKey = (text: string): string => `-----BEGIN PRIVATE KEY-----\n${text}\n-----END PRIVATE KEY-----\n`

/** One in each column that is sealed. */
const secrets = {
  'signing_key.secret': 'click-signing-key-of-32-bytes-xx',
  'moved_signing_key.secret': 'moved-signing-key-of-32-bytes-xx',
  'console_user.totp_secret': 'totp-seed-of-20-byte',
  'destination.secret': webhookSecret('present'),
  'destination.previous_secret': webhookSecret('previous'),
  'destination.definition': 'https://hooks.slack.com/services/T0/B0/chat-address-that-nobody-knows',
  'account.settings': 'bot-check-secret-that-nobody-knows',
  'certificate.key': privateKey('certificate-key-that-nobody-knows'),
  'acme_account.key': privateKey('authority-key-that-nobody-knows'),
}

const host = 'go.acme.test'
const authority = 'https://ca.test/'
const site = aSite({
  bot_check: { provider: 'turnstile', sitekey: 'site', secret: secrets['account.settings'] },
  deliveries: [
    { name: 'chat', kind: 'slack', url: secrets['destination.definition'] },
    { name: 'crm', kind: 'webhook', url: 'https://crm.test/hook', secret: secrets['destination.secret'] },
  ],
})

const keyOf = ({ dataDir }: ADataFolder): string => join(dataDir, 'seal.key')

/** A box with every kind of secret. */
async function sealedBox(): Promise<ADataFolder> {
  const folder = await ADataFolder.with(site)
  const { raw } = openConnection(join(folder.dataDir, 'capture.db'))
  const sealed = (name: keyof typeof secrets, identity: string): Buffer =>
    sealOf(raw).sealBytes(name, identity, Buffer.from(secrets[name]))
  const idOf = (query: string): string => raw.query<{ id: string }, []>(query).get()?.id ?? ''
  const click = idOf(`SELECT id FROM signing_key WHERE purpose = 'click'`)
  const account = idOf('SELECT id FROM account')
  raw.run('UPDATE signing_key SET secret = ? WHERE id = ?', [sealed('signing_key.secret', click), click])
  raw.run('DELETE FROM signing_key WHERE id <> ?', [click])
  raw.run(
    `INSERT INTO moved_signing_key (account_row, id, purpose, secret, created_at) SELECT row, 'moved1', 'click', ?, 0 FROM account`,
    [sealed('moved_signing_key.secret', `${account} moved1`)],
  )
  raw.run(
    `INSERT INTO console_user (id, email, is_owner, created_at, totp_secret, recovery_hashes) VALUES ('u', 'a@b.test', 1, 0, ?, '[]')`,
    [sealed('console_user.totp_secret', 'u')],
  )
  raw.run(`UPDATE destination SET secret = ?, previous_secret = ?, previous_until = ? WHERE name = 'crm'`, [
    sealed('destination.secret', `${account} crm`).toString(),
    sealed('destination.previous_secret', `${account} crm`).toString(),
    Date.now() + 86_400_000,
  ])
  raw.run(
    `INSERT INTO certificate (host, chain, key, issuer, serial, not_before, not_after, renew_at, ask_at, directory)
     VALUES (?, 'chain', ?, 'CA', '01', 0, 1, 1, 1, ?)`,
    [host, sealed('certificate.key', host).toString(), authority],
  )
  raw.run('INSERT INTO acme_account (directory, key) VALUES (?, ?)', [
    authority,
    sealed('acme_account.key', authority).toString(),
  ])
  raw.close()
  return folder
}

/** Every secret as the box uses it. */
async function opened({ dataDir }: Pick<ADataFolder, 'dataDir'>): Promise<typeof secrets> {
  const connection = openConnection(join(dataDir, 'capture.db'))
  try {
    const keys = await (await SqliteSigningKeyStore.open(connection, systemClock)).read()
    const account = await new SqliteAccountStore(connection, systemClock).find('acme')
    const accountId = account?.id ?? ''
    const moved = keys.verifying('click', 'moved1', { accountId, now: Date.now() })
    const signing = secretsOfClick(keys.allVerifying('click', { accountId: null, now: Date.now() }))
    const control = new SqliteDeliveryControl(connection, connection)
    const [present = '', previous = ''] = await control.secrets(accountId, 'crm', Date.now())
    const chat = account?.destinations.find(({ name }) => name === 'chat')
    const certificates = new SqliteCertificateStore(connection)
    const credentials = await new SqliteUserStore(connection).credentials('u')
    return {
      'signing_key.secret': signing.find((secret) => secret === secrets['signing_key.secret']) ?? '',
      'moved_signing_key.secret': Buffer.from(moved?.secret ?? []).toString(),
      'console_user.totp_secret': Buffer.from(credentials?.totpSecret ?? []).toString(),
      'destination.secret': present,
      'destination.previous_secret': previous,
      'destination.definition': chat !== undefined && 'url' in chat ? chat.url : '',
      'account.settings': account?.settings.botCheck.secret ?? '',
      'certificate.key': (await certificates.read(host))?.key ?? '',
      'acme_account.key': (await certificates.account(authority))?.key ?? '',
    }
  } finally {
    connection.raw.close()
  }
}

const secretsOfClick = (keys: { secret: Uint8Array }[]): string[] =>
  keys.map(({ secret }) => Buffer.from(secret).toString())

/** Kinds of secrets whose bytes are in a file of the folder. */
function shownIn(dir: string): string[] {
  const files = readdirSync(dir).filter((name) => name.includes('.db'))
  const bytes = files.map((name) => readFileSync(join(dir, name)))
  const isShown = (secret: string): boolean => bytes.some((file) => file.includes(secret.split('\n')[1] ?? secret))
  return Object.entries(secrets).flatMap(([name, secret]) => (isShown(secret) ? [name] : []))
}

let sealed: ADataFolder
beforeAll(async () => {
  sealed = await sealedBox()
})
afterAll(() => sealed[Symbol.dispose]())

describe('secrets of a box', () => {
  test('are all among these', () => {
    expect(Object.keys(secrets).sort()).toEqual(sealedNames.toSorted())
  })

  test('are in no byte of its database', () => {
    expect(shownIn(sealed.dataDir)).toEqual([])
  })

  test('open where they are used', async () => {
    expect(await opened(sealed)).toEqual(secrets)
  })

  test('open under a key that its owner alone can read', () => {
    expect(statSync(keyOf(sealed)).mode & 0o777).toBe(0o600)
  })

  test('open in no other row', async () => {
    using folder = sealed.copy()
    const { raw } = openConnection(join(folder.dataDir, 'capture.db'))
    raw.run('INSERT INTO acme_account (directory, key) SELECT ?, key FROM acme_account', ['https://other.test/'])
    raw.close()
    const connection = openConnection(join(folder.dataDir, 'capture.db'))
    const stolen = new SqliteCertificateStore(connection).account('https://other.test/')
    expect(await stolen).toBeNull()
    connection.raw.close()
  })
})

const damaged = 'sealed:damaged'

async function damage(folder: ADataFolder, ...statements: string[]): Promise<void> {
  const { raw } = openConnection(join(folder.dataDir, 'capture.db'))
  for (const statement of statements) raw.run(statement, [damaged])
  raw.close()
}

const secretsCheck = async (folder: ADataFolder): Promise<{ status: string; found: string; advice: string }> =>
  JSON.parse((await folder.run(['doctor', '--json'])).stdout).checks.find(
    ({ check }: { check: string }) => check === 'secrets',
  )

const damagedAddress = `UPDATE destination SET definition = json_set(definition, '$.url', ?)`

describe('a damaged secret', () => {
  test('is named by doctor, with what helps', async () => {
    using folder = sealed.copy()
    await damage(folder, 'UPDATE certificate SET key = ?', `${damagedAddress} WHERE name = 'chat'`)
    const { status, found, advice } = await secretsCheck(folder)
    expect({ status, found }).toEqual({
      status: 'fault',
      found: `Secrets are damaged: destination.definition of acme chat, certificate.key of ${host}.`,
    })
    expect(advice).toMatch(/^Apply the site folder again,.*\. Restart the service: it orders another certificate\.$/)
  })

  test('is no fault where nobody uses it, or where it is made anew by itself', async () => {
    using folder = sealed.copy()
    await damage(folder, 'UPDATE acme_account SET key = ?', 'UPDATE destination SET previous_secret = ?')
    await damage(folder, `${damagedAddress} WHERE name = 'chat'`)
    await folder.apply({ ...site, deliveries: site.deliveries?.slice(1) ?? [] })
    expect((await secretsCheck(folder)).status).toBe('ok')
    expect((await opened(folder))['acme_account.key']).toBe('')
  })

  test('that site.toml gives comes back when its folder is applied', async () => {
    using folder = sealed.copy()
    await damage(folder, damagedAddress, `UPDATE account SET settings = json_set(settings, '$.botCheck.secret', ?)`)
    await folder.done(['account', 'show', 'acme'])
    await folder.apply(site)
    expect(await opened(folder)).toEqual(secrets)
  })

  test('of a webhook is replaced by a new one', async () => {
    using folder = sealed.copy()
    await damage(folder, `UPDATE destination SET secret = ? WHERE name = 'crm'`)
    expect(await secretsCheck(folder)).toMatchObject({
      found: 'Secrets are damaged: destination.secret of acme crm.',
      advice: 'Make a new secret for the receiver: `capture delivery secret rotate`.',
    })
    const { secret } = await folder.json(['delivery', 'secret', 'rotate', 'acme', 'crm'])
    expect((await opened(folder))['destination.secret']).toBe(String(secret))
  })

  test('that cannot be had anew is named where it is needed', async () => {
    using folder = sealed.copy()
    await damage(folder, 'UPDATE signing_key SET secret = ?')
    const { status, stderr } = await folder.run(['serve'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/The secret signing_key\.secret of \w+ is damaged\. Restore the latest backup/)
  })
})

describe('a box without its sealing key', () => {
  test('says what to put back, and makes no other', async () => {
    using folder = sealed.copy()
    rmSync(keyOf(folder))
    const { status, stderr } = await folder.run(['account', 'list'])
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/sealing key .*seal\.key is missing.*tar -xOf FILE seal\.key/s),
    ])
    expect(readdirSync(folder.dataDir)).not.toContain('seal.key')
  })

  test('is what doctor says', async () => {
    using folder = sealed.copy()
    rmSync(keyOf(folder))
    const { status, stdout } = await folder.run(['doctor', '--json'])
    const faults = (JSON.parse(stdout).checks as { check: string; status: string }[]).filter(
      ({ status }) => status === 'fault',
    )
    expect([status, faults]).toEqual([1, [expect.objectContaining({ check: 'secrets' })]])
  })

  test('says so when the key is another box’s', async () => {
    using folder = sealed.copy()
    using other = await ADataFolder.with()
    rmSync(keyOf(folder))
    renameSync(keyOf(other), keyOf(folder))
    const { status, stderr } = await folder.run(['account', 'list'])
    expect([status, stderr]).toEqual([1, expect.stringContaining('is another box’s sealing key'.replace('’', "'"))])
  })

  test('works again once the key is back', async () => {
    using folder = sealed.copy()
    rmSync(keyOf(folder))
    expect((await folder.run(['account', 'list'])).status).toBe(1)
    const file = folder.path('box.backup')
    await sealed.done(['backup', file])
    const key = Bun.spawnSync(['tar', '-xOf', file, 'seal.key']).stdout
    await Bun.write(keyOf(folder), key)
    expect((await folder.run(['account', 'list'])).status).toBe(0)
  })
})

test('a key elsewhere, to which the data folder has a link, is used there, and a restore keeps the link', async () => {
  using folder = sealed.copy()
  const elsewhere = folder.path('elsewhere')
  mkdirSync(elsewhere)
  renameSync(keyOf(folder), join(elsewhere, 'seal.key'))
  symlinkSync(join(elsewhere, 'seal.key'), keyOf(folder))
  const file = folder.path('box.backup')
  await folder.done(['backup', file])
  await folder.done(['restore', file])
  expect(lstatSync(keyOf(folder)).isSymbolicLink()).toBe(true)
  expect(await opened(folder)).toEqual(secrets)
})

describe('a backup file', () => {
  test('is encrypted where recipients are configured, and restores with an identity of theirs alone', async () => {
    using folder = sealed.copy()
    const [{ identity, recipient }, { identity: foreign }] = [
      await folder.json(['backup', 'key']),
      await folder.json(['backup', 'key']),
    ]
    await Bun.write(folder.path('identity'), `${identity}\n`)
    await Bun.write(folder.path('foreign'), `${foreign}\n`)
    await Bun.write(folder.path('capture.toml'), `data_dir = "./data"\n[backup]\nrecipients = ["${recipient}"]\n`)
    const file = folder.path('box.backup')
    const { stderr } = await folder.done(['backup', file])
    expect(stderr).not.toContain('in the clear')
    expect(readFileSync(file).subarray(0, 21).toString()).toBe('age-encryption.org/v1')
    expect(readFileSync(file).includes(readFileSync(keyOf(folder), 'utf8').trim())).toBe(false)

    using other = new ADataFolder()
    for (const options of [[], ['--identity', folder.path('foreign')]]) {
      const refused = await other.run(['restore', file, ...options])
      expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('--identity FILE')])
    }
    await other.done(['restore', file, '--identity', folder.path('identity')])
    expect(await opened(other)).toEqual(secrets)
  })

  test('that is encrypted and was cut off is refused', async () => {
    using folder = sealed.copy()
    const { identity, recipient } = await folder.json(['backup', 'key'])
    await Bun.write(folder.path('identity'), `${identity}\n`)
    await Bun.write(folder.path('capture.toml'), `data_dir = "./data"\n[backup]\nrecipients = ["${recipient}"]\n`)
    const file = folder.path('box.backup')
    await folder.done(['backup', file])
    truncateSync(file, 100_000)
    using other = new ADataFolder()
    const { status, stderr } = await other.run(['restore', file, '--identity', folder.path('identity')])
    expect([status, stderr]).toEqual([1, expect.stringContaining('incomplete')])
  })

  test('without recipients says that it is in the clear, and how that ends', async () => {
    using other = new ADataFolder()
    const { stderr } = await sealed.done(['backup', other.path('box.backup')])
    expect(stderr).toMatch(/keys and personal data in the clear.*\[backup\] recipients/)
  })
})

describe('a backup', () => {
  test('brings the key, and its database shows no secret', async () => {
    using other = new ADataFolder()
    const file = other.path('box.backup')
    await sealed.done(['backup', file])
    const unpacked = other.path('unpacked')
    mkdirSync(unpacked)
    expect(Bun.spawnSync(['tar', '-xf', file, '-C', unpacked]).exitCode).toBe(0)
    expect(shownIn(unpacked)).toEqual([])
    await other.done(['restore', file])
    expect(await opened(other)).toEqual(secrets)
  })

  test.each([false, true])('at a target brings the key, with recipients %p', async (isSealed) => {
    using keys = new ADataFolder()
    const { identity, recipient } = await keys.json(['backup', 'key'])
    const identityFile = keys.path('identity')
    await Bun.write(identityFile, `${identity}\n`)
    const target = `file://${keys.path('target')}`
    const recipients = isSealed ? `recipients = ["${recipient}"]` : ''
    using folder = sealed.copy()
    await Bun.write(folder.path('capture.toml'), `data_dir = "./data"\n[backup]\nto = ["${target}"]\n${recipients}\n`)
    await folder.done(['backup', 'now'])
    const key = readFileSync(keyOf(folder), 'utf8').trim()
    const all = readdirSync(keys.path('target'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    const shows = all.some((one) => readFileSync(join(one.parentPath, one.name)).includes(key))
    expect(shows).toBe(!isSealed)
    using other = new ADataFolder()
    await other.done(['restore', target, ...(isSealed ? ['--identity', identityFile] : [])])
    expect(await opened(other)).toEqual(secrets)
  })
})

test('an account that moves takes its secrets along, under a key of the file and then that of the other box', async () => {
  using other = await ADataFolder.with(aSite({ account: 'umbra', domains: ['go.umbra.test'] }))
  const otherKey = readFileSync(keyOf(other), 'utf8')
  const file = other.path('acme.capture')
  await sealed.done(['account', 'move', 'acme', '--to', file])
  const fileKey = Bun.spawnSync(['tar', '-xOf', file, 'seal.key']).stdout.toString()
  expect([readFileSync(keyOf(sealed), 'utf8'), otherKey]).not.toContain(fileKey)
  await other.done(['account', 'move', 'acme', '--from', file])
  expect(readFileSync(keyOf(other), 'utf8')).toBe(otherKey)
  expect(shownIn(other.dataDir)).toEqual([])
  const { 'signing_key.secret': _, 'console_user.totp_secret': __, 'acme_account.key': ___, ...moving } = secrets
  expect(await opened(other)).toMatchObject(moving)
})
