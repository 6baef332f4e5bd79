import type { Database } from 'bun:sqlite'
import { and, asc, count, eq, gt, isNull, max, or } from 'drizzle-orm'
import type { AccountSettings, StoredAccount } from '../../../account/account.ts'
import type { AccountStore, AccountSummary, ContentCounts, Revision } from '../../../account/account-store.ts'
import type { Form } from '../../../account/form.ts'
import { type AssetKind, byList, pathKinds } from '../../../asset/asset-kind.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'
import { ofOneAccount } from '../database/damage.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { capturedKinds } from '../ledger/ledger-codec.ts'
import { accountName, knownAccountRow, storedAccountRow } from '../lookup/account-row.ts'
import { account, form, trackingKey } from '../schema/account-schema.ts'
import { asset, assetVersion } from '../schema/site-schema.ts'
import { sealOf } from '../seal/box-seal.ts'
import { destinationsOf } from './destination-rows.ts'
import { domainHolder } from './domain-claims.ts'
import { readRevision, touchAccount } from './revision.ts'

/** Published and not removed: a first publish in progress has revision 0. */
export const visibleAccount = and(isNull(account.removedAt), gt(account.siteRevision, 0))

export class SqliteAccountStore implements AccountStore {
  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
  ) {}

  async revision(): Promise<Revision> {
    return String(readRevision(this.connection))
  }

  async list(): Promise<AccountSummary[]> {
    return this.connection.raw
      .query<Omit<AccountSummary, 'changedAt'> & { changedAt: number }, []>(
        `SELECT id, handle, ${accountName} AS name, changed_at_revision AS changedAt FROM account
         WHERE removed_at IS NULL AND site_revision > 0 ORDER BY handle`,
      )
      .all()
      .map((row) => ({ ...row, changedAt: String(row.changedAt) }))
  }

  async find(handle: string): Promise<StoredAccount | null> {
    try {
      return this.read(handle)
    } catch (error) {
      throw ofOneAccount(error)
    }
  }

  private read(handle: string): StoredAccount | null {
    const found = this.connection.db
      .select({ row: account.row, id: account.id, handle: account.handle, settings: account.settings })
      .from(account)
      .where(and(eq(account.handle, handle), visibleAccount))
      .get()
    if (!found) return null
    const { row, settings: _, ...visible } = found
    return {
      ...visible,
      settings: openedSettings(this.connection.raw, found.id, found.settings),
      forms: this.forms(row),
      destinations: destinationsOf(this.connection, { row, id: found.id }),
      trackingKeys: this.trackingKeys(row),
    }
  }

  async holderOf(host: string): Promise<string | null> {
    return domainHolder(this.connection, host)
  }

  async addTrackingKey(accountId: string, fingerprint: string, oldValidUntil: number | null): Promise<void> {
    this.change(accountId, (accountRow) => {
      replaceTrackingKeys(this.connection, { accountRow, fingerprint, oldValidUntil, now: this.clock.now() })
    })
  }

  async revokeTrackingKeys(accountId: string): Promise<number> {
    return this.change(accountId, (accountRow) =>
      revokeKeys(this.connection, { accountRow, oldValidUntil: null, now: this.clock.now() }),
    )
  }

  async countsOf(accountId: string, recordsMax = Number.MAX_SAFE_INTEGER): Promise<ContentCounts> {
    const row = knownAccountRow(this.connection, accountId)
    const { db } = this.connection
    const assetCount = (kind: AssetKind) =>
      db
        .select({ n: count() })
        .from(asset)
        .innerJoin(assetVersion, and(eq(assetVersion.assetId, asset.id), isNull(assetVersion.toRevision)))
        .where(and(eq(asset.accountRow, row), eq(asset.kind, kind)))
        .get()?.n ?? 0
    return {
      ...byList(['page', ...pathKinds], assetCount),
      forms: this.forms(row).length,
      records: await recordCount(this.connection, row, { max: recordsMax }),
    }
  }

  async remove(accountId: string): Promise<void> {
    const { removeAccountRows } = await import('./account-removal.ts')
    const row = storedAccountRow(this.connection, accountId)
    if (row === null) throw new Error(`no account ${accountId}`)
    await removeAccountRows(this.connection, row, this.clock.now())
  }

  async finishRemovals(): Promise<number> {
    const { finishAccountRemovals } = await import('./account-removal.ts')
    return finishAccountRemovals(this.connection)
  }

  private change<T>(accountId: string, apply: (accountRow: number) => T): T {
    const { db } = this.connection
    return writeTransaction({ db }, () => {
      const row = knownAccountRow(this.connection, accountId)
      const result = apply(row)
      touchAccount(this.connection, row)
      return result
    })
  }

  private forms(accountRow: number): Form[] {
    return latestForms(this.connection, accountRow)
      .filter((found) => !found.withdrawn)
      .map(({ id, version, definition }) => ({ ...definition, id, version }))
  }

  private trackingKeys(accountRow: number) {
    return this.connection.db
      .select({ fingerprint: trackingKey.fingerprint, validUntil: trackingKey.validUntil })
      .from(trackingKey)
      .where(eq(trackingKey.accountRow, accountRow))
      .orderBy(asc(trackingKey.row))
      .all()
  }
}

/** The latest version of every form of an account, including withdrawn ones, ordered by id. */
function latestForms({ db }: Connection, accountRow: number) {
  return db
    .select({
      id: form.id,
      version: max(form.version).mapWith(Number),
      definition: form.definition,
      withdrawn: form.withdrawn,
    })
    .from(form)
    .where(eq(form.accountRow, accountRow))
    .groupBy(form.id)
    .orderBy(asc(form.id))
    .all()
    .map((found) => ({ ...found, version: found.version ?? 1 }))
}

/** Counted in one statement: some milliseconds. */
const rowsAtOnce = 50_000

/** The records of an account, `max` at most. Others get their turn between two steps: of millions, all take a second. */
export async function recordCount(
  { raw }: Pick<Connection, 'raw'>,
  accountRow: number,
  { max, rowsPerStep = rowsAtOnce }: { max: number; rowsPerStep?: number },
): Promise<number> {
  const step = raw.query<{ rows: number; last: number | null }, [number, number, number, number]>(
    `SELECT count(*) AS rows, max(sequence) AS last FROM (
       SELECT sequence FROM ledger WHERE account_row = ? AND kind = ? AND sequence > ? ORDER BY sequence LIMIT ?)`,
  )
  let counted = 0
  for (const kind of capturedKinds) {
    for (let after: number | null = 0; after !== null && counted < max; ) {
      const limit = Math.min(rowsPerStep, max - counted)
      const found: { rows: number; last: number | null } | null = step.get(accountRow, kind, after, limit)
      counted += found?.rows ?? 0
      after = found !== null && found.rows === limit ? found.last : null
      if (after !== null) await Bun.sleep(0)
    }
  }
  return counted
}

/** The settings as they are stored: the bot check's secret is sealed. */
export function sealedSettings(raw: Database, accountId: string, settings: AccountSettings): AccountSettings {
  const { botCheck } = settings
  if (botCheck.secret === '') return settings
  return {
    ...settings,
    botCheck: { ...botCheck, secret: sealOf(raw).seal('account.settings', accountId, botCheck.secret) },
  }
}

/** A damaged secret reads as none: the box works, its bot check accepts nothing, and the next apply writes the secret anew. */
function openedSettings(raw: Database, accountId: string, settings: AccountSettings): AccountSettings {
  const { botCheck } = settings
  if (botCheck.secret === '') return settings
  return {
    ...settings,
    botCheck: { ...botCheck, secret: sealOf(raw).openIfSound('account.settings', accountId, botCheck.secret) ?? '' },
  }
}

interface KeyReplacement {
  accountRow: number
  fingerprint: string
  oldValidUntil: number | null
  now: number
}

/** Makes the fingerprint the account's key. Earlier keys match until `oldValidUntil`, or no longer if `null`. */
export function replaceTrackingKeys(connection: Connection, replacement: KeyReplacement): void {
  const { accountRow, fingerprint, now } = replacement
  revokeKeys(connection, replacement)
  connection.db.insert(trackingKey).values({ accountRow, fingerprint, createdAt: now }).run()
}

/** Ends the current keys at `oldValidUntil`, or at once if `null`; returns how many. */
function revokeKeys(
  { db }: Connection,
  { accountRow, oldValidUntil, now }: Omit<KeyReplacement, 'fingerprint'>,
): number {
  const current = and(eq(trackingKey.accountRow, accountRow), isNull(trackingKey.revokedAt))
  const change = oldValidUntil === null ? { fingerprint: null, revokedAt: now } : { validUntil: oldValidUntil }
  // Never extends a key that ends sooner or has ended.
  const endsLater = oldValidUntil === null ? undefined : endsAfter(oldValidUntil)
  const changed = and(current, endsLater)
  return db.update(trackingKey).set(change).where(changed).returning({ row: trackingKey.row }).all().length
}

const endsAfter = (instant: number) => or(isNull(trackingKey.validUntil), gt(trackingKey.validUntil, instant))
