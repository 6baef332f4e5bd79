import type { Database } from 'bun:sqlite'
import { and, asc, eq, isNull } from 'drizzle-orm'
import { type Destination, isReachedByMail, isToVisitors } from '../../../account/destination.ts'
import type { PauseReason } from '../../../delivery/delivery-control.ts'
import type { AilingDestination } from '../../../operations/doctor/inspection.ts'
import type { DestinationPublication } from '../../../site/plan-destinations.ts'
import type { SitePublication } from '../../../site/site-store.ts'
import type { Connection } from '../database/connection.ts'
import { storedJson } from '../database/damage.ts'
import { inSteps, rowsPerStep } from '../database/in-steps.ts'
import { account } from '../schema/account-schema.ts'
import { destination } from '../schema/delivery-schema.ts'
import { sealOf } from '../seal/box-seal.ts'
import { isRetriable } from './withdrawn-delivery.ts'

/** How long a replaced secret still signs (docs/webhooks.md). */
export const previousSecretMs = 7 * 86_400_000

const isPresent = (accountRow: number) => and(eq(destination.accountRow, accountRow), isNull(destination.removedAt))

/** The account's row and id: secrets of its destinations are sealed for the id. */
interface AccountKey {
  row: number
  id: string
}

export function destinationsOf({ db, raw }: Connection, account: AccountKey): Destination[] {
  return db
    .select({ definition: destination.definition })
    .from(destination)
    .where(isPresent(account.row))
    .orderBy(asc(destination.name))
    .all()
    .map(({ definition }) => openedDestination(raw, account.id, definition))
}

/** A damaged address reads as none, and the next apply writes it anew. */
export function openedDestination(raw: Database, accountId: string, definition: Destination): Destination {
  if (!('url' in definition)) return definition
  const url = sealOf(raw).openIfSound('destination.definition', `${accountId} ${definition.name}`, definition.url)
  return { ...definition, url: url ?? '' }
}

function sealedDestination(raw: Database, accountId: string, definition: Destination): Destination {
  if (!('url' in definition)) return definition
  const url = sealOf(raw).seal('destination.definition', `${accountId} ${definition.name}`, definition.url)
  return { ...definition, url }
}

/** Whether there are any, including removed ones, since what they were sent is kept for a while. */
export const hasDestinations = ({ db }: Connection): boolean =>
  db.select({ row: destination.row }).from(destination).limit(1).get() !== undefined

/** Call inside the publishing transaction. */
export function writeDestinations(
  connection: Connection,
  account: AccountKey,
  { destinations, removedDestinations, publishedAt }: SitePublication,
): void {
  for (const name of removedDestinations) remove(connection, account.row, name, publishedAt)
  for (const written of destinations) write(connection, account, { ...written, now: publishedAt })
}

function remove({ db }: Connection, accountRow: number, name: string, now: number): void {
  const named = and(isPresent(accountRow), eq(destination.name, name))
  db.update(destination)
    .set({ removedAt: now, secret: null, previousSecret: null, previousUntil: null })
    .where(named)
    .run()
}

/** A changed kind makes another destination: what waits was meant for the old one. */
function write(
  connection: Connection,
  account: AccountKey,
  { destination: definition, secret, now }: DestinationPublication & { now: number },
): void {
  const { db, raw } = connection
  const { name, kind } = definition
  const sealed = sealedDestination(raw, account.id, definition)
  const before = db
    .select({ row: destination.row, definition: destination.definition })
    .from(destination)
    .where(and(isPresent(account.row), eq(destination.name, name)))
    .get()
  if (before?.definition.kind === kind) {
    db.update(destination).set({ definition: sealed }).where(eq(destination.row, before.row)).run()
    if (secret !== null) replaceSecret(connection, { row: before.row, accountId: account.id, name }, secret, now)
    return
  }
  if (before !== undefined) remove(connection, account.row, name, now)
  const sealedSecret = secret && sealOf(raw).seal('destination.secret', `${account.id} ${name}`, secret)
  db.insert(destination)
    .values({ accountRow: account.row, name, definition: sealed, secret: sealedSecret, createdAt: now })
    .run()
}

/** A row of `destination`, and what its secrets are sealed for. */
interface DestinationKept {
  row: number
  accountId: string
  name: string
}

/** The new secret signs from now on, and for a week the previous one beside it. */
export function replaceSecret(
  { db, raw }: Connection,
  { row, accountId, name }: DestinationKept,
  secret: string,
  now: number,
): void {
  const seal = sealOf(raw)
  const identity = `${accountId} ${name}`
  const found = db.select({ secret: destination.secret }).from(destination).where(eq(destination.row, row)).get()
  const before = found?.secret ? seal.openIfSound('destination.secret', identity, found.secret) : null
  if (before === secret) return
  db.update(destination)
    .set({
      secret: seal.seal('destination.secret', identity, secret),
      previousSecret: before && seal.seal('destination.previous_secret', identity, before),
      previousUntil: now + previousSecretMs,
    })
    .where(eq(destination.row, row))
    .run()
}

export const pauseOf = (at: number | null, reason: PauseReason | null): { reason: PauseReason; at: number } | null =>
  at === null || reason === null ? null : { reason, at }

export interface SecretsRow {
  secret: string | null
  previousSecret: string | null
  previousUntil: number | null
}

export const secretColumns = 'secret, previous_secret AS previousSecret, previous_until AS previousUntil'

/** The secrets that sign now, the new one first; none: there is none, or it is damaged. */
export function validSecrets(
  raw: Database,
  { secret, previousSecret, previousUntil }: SecretsRow,
  { accountId, name, now }: { accountId: string; name: string; now: number },
): string[] {
  const seal = sealOf(raw)
  const identity = `${accountId} ${name}`
  const current = secret === null ? null : seal.openIfSound('destination.secret', identity, secret)
  if (current === null) return []
  const isPreviousValid = previousSecret !== null && previousUntil !== null && now < previousUntil
  const previous = isPreviousValid && seal.openIfSound('destination.previous_secret', identity, previousSecret)
  return previous ? [current, previous] : [current]
}

/** Deletes in small steps what waits for removed destinations. After a crash, the next run finishes it. */
export async function eraseRemovedWaiting({ raw }: Connection): Promise<void> {
  const step = raw.query<null, []>(
    `DELETE FROM delivery
     WHERE state = 'waiting' AND destination_row IN (SELECT row FROM destination WHERE removed_at IS NOT NULL)
     LIMIT ${rowsPerStep}`,
  )
  await inSteps(() => step.run())
}

interface AilingRow extends Omit<AilingDestination, 'kind' | 'pause'> {
  definition: string
  pausedAt: number | null
  pauseReason: PauseReason | null
}

/** Destinations that are paused, failing, or have failed deliveries. Works on a read-only connection. */
export const ailingDestinations = ({ raw }: Pick<Connection, 'raw'>): AilingDestination[] =>
  raw
    .query<AilingRow, []>(
      `WITH failed AS (SELECT destination_row, count(*) AS count FROM delivery WHERE ${isRetriable} GROUP BY destination_row)
       SELECT handle, name, definition, paused_at AS pausedAt, pause_reason AS pauseReason,
         failing_since AS failingSince, coalesce(failed.count, 0) AS failed,
         (SELECT count(*) FROM delivery WHERE destination_row = destination.row AND state = 'waiting') AS waiting
       FROM destination
       JOIN account ON account.row = destination.account_row
       LEFT JOIN failed ON failed.destination_row = destination.row
       WHERE destination.removed_at IS NULL AND account.removed_at IS NULL
         AND (paused_at IS NOT NULL OR failing_since IS NOT NULL OR failed.count > 0)
       ORDER BY handle, name`,
    )
    .all()
    .map(({ definition, pausedAt, pauseReason, ...row }) => ({
      ...row,
      kind: storedJson<Destination>(definition).kind,
      pause: pauseOf(pausedAt, pauseReason),
    }))
    .filter((row) => !isToVisitors(row) || row.pause !== null)

export function mailingAccounts({ db }: Pick<Connection, 'db'>): string[] {
  const rows = db
    .select({ handle: account.handle, definition: destination.definition })
    .from(destination)
    .innerJoin(account, eq(account.row, destination.accountRow))
    .where(and(isNull(destination.removedAt), isNull(account.removedAt)))
    .orderBy(asc(account.handle))
    .all()
  const mailing = rows.filter(({ definition }) => isReachedByMail(definition))
  return [...new Set(mailing.map(({ handle }) => handle))]
}
