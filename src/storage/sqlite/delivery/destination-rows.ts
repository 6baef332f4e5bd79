import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Destination } from '../../../account/destination.ts'
import type { PauseReason } from '../../../delivery/destination-state.ts'
import type { DestinationPublication } from '../../../site/plan-destinations.ts'
import type { SitePublication } from '../../../site/site-store.ts'
import type { Connection } from '../database/connection.ts'
import { inSteps, rowsPerStep } from '../database/in-steps.ts'
import { destination } from './delivery-schema.ts'

/** How long a replaced secret still signs (docs/webhooks.md). */
export const previousSecretMs = 7 * 86_400_000

const isPresent = (accountRow: number) => and(eq(destination.accountRow, accountRow), isNull(destination.removedAt))

/** The published destinations of an account, ordered by name. */
export function destinationsOf({ db }: Connection, accountRow: number): Destination[] {
  return db
    .select({ definition: destination.definition })
    .from(destination)
    .where(isPresent(accountRow))
    .orderBy(asc(destination.name))
    .all()
    .map(({ definition }) => definition)
}

/** Whether there are any, including removed ones, since what they were sent is kept for a while. */
export const hasDestinations = ({ db }: Connection): boolean =>
  db.select({ row: destination.row }).from(destination).limit(1).get() !== undefined

/** Call inside the publishing transaction. */
export function writeDestinations(
  connection: Connection,
  accountRow: number,
  { destinations, removedDestinations, publishedAt }: SitePublication,
): void {
  for (const name of removedDestinations) remove(connection, accountRow, name, publishedAt)
  for (const written of destinations) write(connection, accountRow, { ...written, now: publishedAt })
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
  accountRow: number,
  { destination: definition, secret, now }: DestinationPublication & { now: number },
): void {
  const { db } = connection
  const { name, kind } = definition
  const before = db
    .select({ row: destination.row, definition: destination.definition })
    .from(destination)
    .where(and(isPresent(accountRow), eq(destination.name, name)))
    .get()
  if (before?.definition.kind === kind) {
    db.update(destination).set({ definition }).where(eq(destination.row, before.row)).run()
    if (secret !== null) replaceSecret(connection, before.row, secret, now)
    return
  }
  if (before !== undefined) remove(connection, accountRow, name, now)
  db.insert(destination).values({ accountRow, name, definition, secret, createdAt: now }).run()
}

/** The new secret signs from now on, and for a week the previous one beside it. */
export function replaceSecret({ db }: Connection, row: number, secret: string, now: number): void {
  const [before] = db.select({ secret: destination.secret }).from(destination).where(eq(destination.row, row)).all()
  if (before?.secret === secret) return
  db.update(destination)
    .set({ secret, previousSecret: before?.secret ?? null, previousUntil: now + previousSecretMs })
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

/** The secrets that sign now, the new one first. */
export function validSecrets({ secret, previousSecret, previousUntil }: SecretsRow, now: number): string[] {
  const isPreviousValid = previousUntil !== null && now < previousUntil
  return [secret, isPreviousValid ? previousSecret : null].filter((secret) => secret !== null)
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
