import type { Database } from 'bun:sqlite'
import { and, eq, gt, isNull, or } from 'drizzle-orm'
import type { AccountSettings } from '../../../account/account.ts'
import type { Connection } from '../database/connection.ts'
import { trackingKey } from '../schema/account-schema.ts'
import { sealOf } from '../seal/box-seal.ts'

/** The settings as they are stored: the bot check's secret is sealed. */
export function sealedSettings(raw: Database, accountId: string, settings: AccountSettings): AccountSettings {
  const { botCheck } = settings
  if (botCheck.secret === '') return settings
  return {
    ...settings,
    botCheck: { ...botCheck, secret: sealOf(raw).seal('botCheckSecret', accountId, botCheck.secret) },
  }
}

export function openedSettings(raw: Database, accountId: string, settings: AccountSettings): AccountSettings {
  const { botCheck } = settings
  if (botCheck.secret === '') return settings
  return {
    ...settings,
    botCheck: { ...botCheck, secret: sealOf(raw).open('botCheckSecret', accountId, botCheck.secret) },
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
export function revokeKeys(
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
