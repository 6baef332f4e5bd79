import { expect, test } from 'bun:test'
import type { ReportShare } from '../../src/console/share/report-share.ts'
import { SqliteReportShares } from '../../src/storage/sqlite/console/report-shares.ts'
import { TemporaryDatabase } from '../storage/sqlite/temporary-database.ts'

const now = 1_800_000_000_000

const share = (id: string, overrides: Partial<ReportShare> = {}): ReportShare => ({
  id,
  accountId: 'account-a',
  period: { since: '30d' },
  createdAt: now - 10,
  expiresAt: now + 10,
  revokedAt: null,
  makerTokenId: null,
  ...overrides,
})

/** A database of two accounts, and their shares as a process that begins now finds them. */
function withShares() {
  const database = new TemporaryDatabase()
  for (const id of ['account-a', 'account-b']) database.addAccount(id)
  return { database, shares: () => new SqliteReportShares(database.connect()) }
}

test('a share is found by whichever process looks, and works until it expires', async () => {
  const { database, shares } = withShares()
  await using _ = database
  await shares().add(share('one'))
  expect(await shares().find('one')).toEqual(share('one'))
  expect(await shares().working('account-a', now + 9)).toEqual([share('one')])
  expect(await shares().working('account-a', now + 10)).toEqual([])
  expect(await shares().working('account-b', now)).toEqual([])
})

test('a share is ended by its own account, once', async () => {
  const { database, shares } = withShares()
  await using _ = database
  await shares().add(share('one'))
  expect(await shares().revoke('account-b', 'one', now)).toBe(false)
  expect(await shares().revoke('account-a', 'one', now)).toBe(true)
  expect(await shares().revoke('account-a', 'one', now)).toBe(false)
  expect((await shares().find('one'))?.revokedAt).toBe(now)
})

test('shares of a removed account do not exist', async () => {
  const { database, shares } = withShares()
  await using _ = database
  await shares().add(share('one'))
  database.connect().raw.run("UPDATE account SET removed_at = 1 WHERE id = 'account-a'")
  expect(await shares().find('one')).toBeNull()
  await shares().add(share('two'))
  expect(await shares().working('account-a', now)).toEqual([])
})

test('what is over is erased, and nothing else', async () => {
  const { database, shares } = withShares()
  await using _ = database
  for (const one of [share('working'), share('expired', { expiresAt: now }), share('ended', { revokedAt: 1 })])
    await shares().add(one)
  await shares().eraseOver(now)
  const ids = ['working', 'expired', 'ended']
  const found = await Promise.all(ids.map((id) => shares().find(id)))
  expect(found.map((one) => one !== null)).toEqual([true, false, false])
})
