import { and, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { breath } from '../database/breath.ts'
import type { Connection } from '../database/connection.ts'
import { assetVersion } from './asset-schema.ts'

/** Rows changed in one transaction: a few milliseconds. */
const rowsPerStep = 250

/**
 * Takes back what a publish that died has staged for a revision of the site that never came: its versions go, and those
 * they were to supersede stand again. Nobody has seen any of it, so that it may go in steps; what is to change is looked
 * for without the write lock.
 */
export async function clearUnpublished(connection: Connection, accountRow: number, siteRevision: number) {
  const { db } = connection
  const ofAccount = eq(assetVersion.accountRow, accountRow)
  await inSteps(connection, and(ofAccount, gt(assetVersion.fromRevision, siteRevision)), (rows) =>
    db.delete(assetVersion).where(rows).run(),
  )
  await inSteps(connection, and(ofAccount, gt(assetVersion.toRevision, siteRevision)), (rows) =>
    db.update(assetVersion).set({ toRevision: null, supersededAt: null }).where(rows).run(),
  )
}

async function inSteps({ db }: Connection, wanted: SQL | undefined, change: (rows: SQL) => void): Promise<void> {
  for (;;) {
    const found = db.select({ row: sql<number>`rowid` }).from(assetVersion).where(wanted).limit(rowsPerStep).all()
    if (found.length === 0) return
    change(
      inArray(
        sql`rowid`,
        found.map(({ row }) => row),
      ),
    )
    await breath()
  }
}
