import { afterAll, describe, expect, jest, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AccountRole } from '../../src/console/access/caller.ts'
import type { ConsoleStores } from '../../src/console/console-box.ts'
import { type BrowserSession, idleMsMax, lifeMsMax, sessionsOfUserMax } from '../../src/console/session/session.ts'
import type { ApiToken } from '../../src/console/token/api-token.ts'
import type { Invited, User } from '../../src/console/user/user.ts'
import { newId } from '../../src/lib/id.ts'
import { sqliteConsoleStores } from '../../src/storage/sqlite/console/console-stores.ts'
import { type Connection, openConnection } from '../../src/storage/sqlite/database/connection.ts'
import { migrateDatabase } from '../../src/storage/sqlite/database/migrations.ts'
import { account } from '../../src/storage/sqlite/schema/account-schema.ts'

const dirs: string[] = []
const connections: Connection[] = []
afterAll(() => {
  for (const { raw } of connections) raw.close()
  for (const dir of dirs) rmSync(dir, { recursive: true })
})

const openStores = (): ConsoleStores => sqliteConsoleStores(openDatabase())

function openDatabase(): Connection {
  const dir = mkdtempSync(join(tmpdir(), 'capture-console-'))
  dirs.push(dir)
  const connection = openConnection(join(dir, 'capture.db'))
  connections.push(connection)
  migrateDatabase({ connection, snapshotDir: join(dir, 'snapshots'), now: 0, assertAlone: () => {} })
  return connection
}

const owner: Invited = { isOwner: true }
const now = 1_700_000_000_000

const byCommand = { makerUserId: null, makerTokenId: null }
const by = (makerUserId: string) => ({ makerUserId, makerTokenId: null })

async function invited({ users }: Pick<ConsoleStores, 'users'>, email: string, hash: string, invited = owner) {
  await users.invite(hash, { email, invited, expiresAt: now + 1000 }, { at: now, ...byCommand })
}

/** Accepts an invitation with a password, which makes a user. */
async function joined({ users }: Pick<ConsoleStores, 'users'>, hash: string, at = now): Promise<User | null> {
  const user = await users.accept(hash, { now: at, userId: newId(), credentials: { passwordHash: 'p' } })
  if (user === 'last_admin') throw new Error('a new user is nobody’s last admin')
  return user
}

describe('users', () => {
  test('an invitation makes one user, once', async () => {
    const stores = openStores()
    await invited(stores, 'a@agency.example', 'h1')
    const user = await joined(stores, 'h1')
    expect(user).toMatchObject({ email: 'a@agency.example', isOwner: true })
    expect(await joined(stores, 'h1')).toBeNull()
    expect(await stores.users.invitation('h1', now)).toEqual({ state: 'used', makerUserId: null })
    expect(await stores.users.list()).toHaveLength(1)
  })

  test('an invitation that is too old makes nobody', async () => {
    const stores = openStores()
    await invited(stores, 'a@agency.example', 'h1')
    expect(await stores.users.invitation('h1', now + 1000)).toEqual({ state: 'expired', makerUserId: null })
    expect(await joined(stores, 'h1', now + 1000)).toBeNull()
  })

  test('an invitation that ended long ago is erased, used or not, and the user stays', async () => {
    const { users } = openStores()
    await invited({ users }, 'a@agency.example', 'h1')
    await invited({ users }, 'b@agency.example', 'h2')
    await joined({ users }, 'h1')
    expect(await users.eraseInvitationsBefore(now + 1000)).toBe(0)
    expect(await users.eraseInvitationsBefore(now + 1001)).toBe(2)
    expect(await users.invitation('h1', now)).toEqual({ state: 'unknown' })
    expect(await users.list()).toHaveLength(1)
  })

  test('a new invitation of the same address to the same replaces the open one', async () => {
    const stores = openStores()
    await invited(stores, 'a@agency.example', 'h1')
    await invited(stores, 'a@agency.example', 'h2')
    expect(await stores.users.invitation('h1', now)).toEqual({ state: 'unknown' })
    expect(await stores.users.invitation('h2', now)).toMatchObject({ state: 'open' })
  })

  test('an invitation of a user who can sign in is accepted by that user alone', async () => {
    const stores = openStores()
    await invited(stores, 'a@agency.example', 'h1')
    const { id } = (await joined(stores, 'h1')) ?? { id: '' }
    await invited(stores, 'a@agency.example', 'h2')
    expect(await joined(stores, 'h2')).toBeNull()
    expect(await stores.users.accept('h2', { now, userId: newId() })).toBeNull()
    expect(await stores.users.accept('h2', { now, userId: id })).toMatchObject({ id })
  })

  test('an invitation makes nobody without credentials, and nobody whose credentials cannot be kept', async () => {
    const stores = openStores()
    await invited(stores, 'a@agency.example', 'h1')
    expect(await stores.users.accept('h1', { now, userId: newId() })).toBeNull()
    const key = { id: 'k', publicKey: new Uint8Array(1), counter: 0, name: 'phone', createdAt: 1, lastUsedAt: null }
    const twice = { now, userId: newId(), credentials: { passkeys: [key, key] } }
    expect(await stores.users.accept('h1', twice).catch(() => 'failed')).toBe('failed')
    expect(await stores.users.list()).toEqual([])
    expect(await stores.users.invitation('h1', now)).toMatchObject({ state: 'open' })
  })

  test('who is no admin any more when access is given gives none', async () => {
    const database = openDatabase()
    const stores = sqliteConsoleStores(database)
    const atBegin = { siteRevision: 0, changedAtRevision: 0, createdAt: now }
    for (const accountId of ['acme', 'other'])
      database.db
        .insert(account)
        .values({ ...atBegin, id: accountId, handle: accountId, settings: {} as never })
        .run()
    const as = (role: AccountRole, accountId = 'acme'): Invited => ({ isOwner: false, accountId, role })
    await invited(stores, 'a@acme.example', 'h1', as('admin'))
    await invited(stores, 'b@acme.example', 'h2', as('viewer'))
    const [admin = '', viewer = ''] = [(await joined(stores, 'h1'))?.id, (await joined(stores, 'h2'))?.id]

    const invite = (makerUserId: string, to: Invited) =>
      stores.users.invite(
        newId(),
        { email: 'c@acme.example', invited: to, expiresAt: now + 1000 },
        { ...by(makerUserId), at: now },
      )
    expect(await invite(admin, as('admin'))).toBe(true)
    expect([
      await invite(viewer, as('client')),
      await invite(admin, as('client', 'other')),
      await invite(admin, owner),
    ]).toEqual([false, false, false])
    expect(await stores.tokens.create('t1', aToken(by(admin)))).toBe(false)
    const place = { accountId: 'acme', at: now, by: by(viewer), keepsAdmin: true }
    expect(await stores.users.setRole(viewer, 'admin', place)).toBe('maker_gone')
    expect(await stores.users.leave(admin, place)).toBe('maker_gone')
    expect(await stores.users.setRole(viewer, 'admin', { ...place, by: by(admin) })).toBe('viewer')
  })

  test('the last owner cannot be removed', async () => {
    const stores = openStores()
    await invited(stores, 'a@agency.example', 'h1')
    await invited(stores, 'b@agency.example', 'h2')
    const first = await joined(stores, 'h1')
    const second = await joined(stores, 'h2')
    expect(await stores.users.remove(first?.id ?? '', now)).toMatchObject({ tokens: [] })
    expect(await stores.users.remove(second?.id ?? '', now)).toBe('last_owner')
    expect(await stores.users.remove(newId(), now)).toBe('unknown')
  })

  test('a removed user has no session left', async () => {
    const stores = openStores()
    await invited(stores, 'a@agency.example', 'h1')
    await invited(stores, 'b@agency.example', 'h2')
    const user = await joined(stores, 'h1')
    await joined(stores, 'h2')
    await stores.sessions.begin('s1', aSession(user?.id ?? ''))
    await stores.users.remove(user?.id ?? '', now)
    expect(await stores.sessions.find('s1')).toBeNull()
  })

  test('a step of one-time codes and a recovery code are each good once', async () => {
    const stores = openStores()
    await invited(stores, 'a@agency.example', 'h1')
    const { id } = (await joined(stores, 'h1')) ?? { id: '' }
    await stores.users.keepCredentials(id, { recoveryHashes: ['r1', 'r2'] })
    expect(await stores.users.spendTotpStep(id, 7)).toBe(true)
    expect(await stores.users.spendTotpStep(id, 7)).toBe(false)
    expect(await stores.users.spendTotpStep(id, 6)).toBe(false)
    expect(await stores.users.spendRecoveryCode(id, 'r1')).toBe(true)
    expect(await stores.users.spendRecoveryCode(id, 'r1')).toBe(false)
    expect((await stores.users.credentials(id))?.recoveryHashes).toEqual(['r2'])
  })

  test('credentials come back as they were kept', async () => {
    const stores = openStores()
    await invited(stores, 'a@agency.example', 'h1')
    const { id } = (await joined(stores, 'h1')) ?? { id: '' }
    const key = {
      id: 'k',
      publicKey: new Uint8Array(1400).fill(7),
      counter: 3,
      name: 'phone',
      createdAt: 1,
      lastUsedAt: null,
    }
    await stores.users.keepCredentials(id, {
      passwordHash: '$argon2id$',
      totpSecret: new Uint8Array([1, 2]),
      passkeys: [key],
    })
    const kept = await stores.users.credentials(id)
    expect(kept?.passwordHash).toBe('$argon2id$')
    expect([...(kept?.totpSecret ?? [])]).toEqual([1, 2])
    expect(kept?.passkeys.map(({ publicKey, ...rest }) => ({ ...rest, bytes: publicKey.byteLength }))).toEqual([
      { id: 'k', counter: 3, name: 'phone', createdAt: 1, lastUsedAt: null, bytes: 1400 },
    ])
    expect((await stores.users.findByPasskey('k'))?.id).toBe(id)
  })
})

const aSession = (userId: string, overrides: Partial<BrowserSession> = {}): BrowserSession => ({
  id: newId(),
  userId,
  createdAt: now,
  lastUsedAt: now,
  provedAt: now,
  provedBy: 'password',
  userAgent: 'a browser',
  address: '192.0.2.1',
  ...overrides,
})

describe('sessions', () => {
  async function withUser() {
    const stores = openStores()
    await invited(stores, 'a@agency.example', 'h1')
    const user = await joined(stores, 'h1')
    return { ...stores, userId: user?.id ?? '' }
  }

  test('are ended one by one, by their own user alone', async () => {
    const { sessions, userId } = await withUser()
    const session = aSession(userId)
    await sessions.begin('s1', session)
    expect(await sessions.end(newId(), session.id)).toBe(false)
    expect(await sessions.end(userId, session.id)).toBe(true)
    expect(await sessions.find('s1')).toBeNull()
  })

  test('but the present one are ended together', async () => {
    const { sessions, userId } = await withUser()
    const kept = aSession(userId)
    await sessions.begin('s1', kept)
    await sessions.begin('s2', aSession(userId))
    await sessions.begin('s3', aSession(userId))
    expect(await sessions.endOthers(userId, kept.id)).toBe(2)
    expect((await sessions.ofUser(userId)).map(({ id }) => id)).toEqual([kept.id])
  })

  test('of one user are bounded: one more ends the one that was not used for the longest time', async () => {
    const { sessions, userId } = await withUser()
    const idle = aSession(userId, { lastUsedAt: now - 1 })
    await sessions.begin('idle', idle)
    for (let n = 1; n < sessionsOfUserMax; n++) await sessions.begin(`s${n}`, aSession(userId))
    expect(await sessions.find('idle')).not.toBeNull()
    await sessions.begin('one more', aSession(userId))
    expect(await sessions.find('idle')).toBeNull()
    expect(await sessions.ofUser(userId)).toHaveLength(sessionsOfUserMax)
  })

  test('go on under a new secret alone once the user has proved who they are', async () => {
    const { sessions, userId } = await withUser()
    const session = aSession(userId)
    await sessions.begin('before', session)
    await sessions.noteProof(session.id, { at: now + 5, by: 'passkey', hash: 'after' })
    expect(await sessions.find('before')).toBeNull()
    expect(await sessions.find('after')).toEqual({ ...session, provedAt: now + 5, provedBy: 'passkey' })
  })

  test('of one user end together, and nobody else’s', async () => {
    const { users, sessions, userId } = await withUser()
    await invited({ users }, 'b@agency.example', 'h2')
    const other = await joined({ users }, 'h2')
    await sessions.begin('s1', aSession(userId))
    await sessions.begin('s2', aSession(userId))
    await sessions.begin('s3', aSession(other?.id ?? ''))
    expect(await sessions.endAll(userId)).toBe(2)
    expect(await sessions.find('s3')).not.toBeNull()
  })

  test('that are over are erased', async () => {
    const { sessions, userId } = await withUser()
    const fresh = aSession(userId)
    await sessions.begin('s1', fresh)
    await sessions.begin('s2', aSession(userId, { lastUsedAt: now - idleMsMax - 1 }))
    await sessions.begin('s3', aSession(userId, { createdAt: now - lifeMsMax - 1 }))
    expect(await sessions.eraseOver(now)).toBe(2)
    expect((await sessions.ofUser(userId)).map(({ id }) => id)).toEqual([fresh.id])
  })
})

const aToken = (overrides: Partial<ApiToken> = {}): ApiToken => ({
  id: newId(),
  name: 'ci',
  accountId: null,
  scopes: ['read'],
  prefix: 'cap_abcdef',
  createdAt: now,
  expiresAt: now + 1000,
  revokedAt: null,
  lastUsedAt: null,
  ...byCommand,
  ...overrides,
})

describe('tokens', () => {
  test('are found by their hash, and listed by what they are for', async () => {
    const { tokens } = openStores()
    const ofBox = aToken()
    const ofAccount = aToken({ accountId: 'acme' })
    await tokens.create('t1', ofBox)
    await tokens.create('t2', ofAccount)
    expect(await tokens.find('t1')).toEqual(ofBox)
    expect(await tokens.find('t3')).toBeNull()
    expect((await tokens.list()).map(({ id }) => id)).toEqual([ofAccount.id, ofBox.id])
    expect((await tokens.list(null)).map(({ id }) => id)).toEqual([ofBox.id])
    expect((await tokens.list('acme')).map(({ id }) => id)).toEqual([ofAccount.id])
  })

  test('are revoked once, and gone when that is long ago', async () => {
    const { tokens } = openStores()
    const token = aToken()
    await tokens.create('t1', token)
    expect((await tokens.revoke(token.id, now))?.token.revokedAt).toBe(now)
    expect((await tokens.revoke(token.id, now + 5))?.token.revokedAt).toBe(now)
    expect(await tokens.revoke(newId(), now)).toBeNull()
    expect(await tokens.eraseOld(now)).toBe(0)
    expect(await tokens.eraseOld(now + 1)).toBe(1)
  })
})

describe('the audit log', () => {
  const entry = (action: string, accountId: string | null = null) => ({
    id: newId(),
    at: now,
    actor: { kind: 'user' as const, id: 'u', label: 'a@agency.example' },
    address: '192.0.2.1',
    action,
    accountId,
    subject: 's',
    outcome: 'done' as const,
    before: null,
    after: { name: 'x' },
  })

  test('is read latest first, page by page, by account and by text', async () => {
    const { audit } = openStores()
    const entries = [entry('key.rotate'), entry('page.publish', 'acme'), entry('key.revoke', 'acme')]
    for (const added of entries) await audit.add(added)
    expect(await audit.read({ limit: 2 })).toMatchObject([entries[2], entries[1]] as never)
    expect(await audit.read({ limit: 2, before: entries[1]?.id ?? '' })).toMatchObject([entries[0]] as never)
    expect(await audit.read({ limit: 5, text: 'key' })).toHaveLength(2)
    expect(await audit.eraseBefore(now + 1)).toBe(3)
  })
})

describe('answers of calls with a key', () => {
  const request = { hash: 'r', now }

  test('are given again, and one call at a time is under way', async () => {
    const { idempotency } = openStores()
    expect(await idempotency.begin('u', 'k', request)).toBe('begun')
    expect(await idempotency.begin('u', 'k', request)).toBe('under_way')
    expect(await idempotency.begin('other', 'k', request)).toBe('begun')
    const answer = { requestHash: 'r', status: 201, body: '{}' }
    await idempotency.end('u', 'k', answer)
    expect(await idempotency.begin('u', 'k', request)).toEqual(answer)
  })

  test('of a call whose process died are awaited for a minute', async () => {
    const database = openDatabase()
    await sqliteConsoleStores(database).idempotency.begin('u', 'k', request)
    const { idempotency } = sqliteConsoleStores(database)
    expect(await idempotency.begin('u', 'k', { hash: 'r', now: now + 59_999 })).toBe('under_way')
    expect(await idempotency.begin('u', 'k', { hash: 'r', now: now + 60_000 })).toBe('begun')
  })

  test('of a call that goes on are awaited for as long as it takes', async () => {
    const { idempotency } = openStores()
    await idempotency.begin('u', 'k', request)
    expect(await idempotency.begin('u', 'k', { hash: 'r', now: now + 3_600_000 })).toBe('under_way')
    const answer = { requestHash: 'r', status: 200, body: null }
    await idempotency.end('u', 'k', answer)
    expect(await idempotency.begin('u', 'k', { hash: 'r', now: now + 3_600_000 })).toEqual(answer)
  })

  test('of a call that goes on in another process are awaited for as long as that lives', async () => {
    jest.useFakeTimers()
    try {
      const database = openDatabase()
      await sqliteConsoleStores(database).idempotency.begin('u', 'k', request)
      jest.advanceTimersByTime(3_600_000)
      const { idempotency } = sqliteConsoleStores(database)
      expect(await idempotency.begin('u', 'k', { hash: 'r', now: now + 3_650_000 })).toBe('under_way')
    } finally {
      jest.useRealTimers()
    }
  })

  test('that failed are forgotten, and all after a day', async () => {
    const { idempotency } = openStores()
    await idempotency.begin('u', 'k', request)
    await idempotency.forget('u', 'k')
    expect(await idempotency.begin('u', 'k', request)).toBe('begun')
    expect(await idempotency.eraseBefore(now + 1)).toBe(1)
  })
})
