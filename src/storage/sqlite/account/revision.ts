import { eq, sql } from 'drizzle-orm'
import type { Connection } from '../database/connection.ts'
import { account, box } from './account-schema.ts'

/** Raises the box's revision, so that a running server looks again, and stamps the account with it. Call inside the changing transaction. */
export function touchAccount({ db }: Connection, accountRow: number): void {
  const revision = raiseRevision({ db })
  db.update(account).set({ changedAtRevision: revision }).where(eq(account.row, accountRow)).run()
}

/** Raises the box's revision and answers it. Call inside the changing transaction. */
export function raiseRevision({ db }: Pick<Connection, 'db'>): number {
  const raised = db
    .insert(box)
    .values({ id: 1, revision: 1 })
    .onConflictDoUpdate({
      target: box.id,
      set: { revision: sql`${box.revision} + 1` },
    })
    .returning({ revision: box.revision })
    .get()
  return raised.revision
}

/** The box's revision; 0 before the first change. */
export const readRevision = ({ raw }: Pick<Connection, 'raw'>): number =>
  raw.query<{ revision: number }, []>('SELECT revision FROM box').get()?.revision ?? 0
