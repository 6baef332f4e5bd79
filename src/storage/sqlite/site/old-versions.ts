import { and, eq, inArray, isNotNull, notExists, sql } from 'drizzle-orm'
import { breath } from '../database/breath.ts'
import type { Connection } from '../database/connection.ts'
import { submissionFact } from '../processing/fact-schema.ts'
import { asset, assetVersion } from './asset-schema.ts'

/** Rows forgotten in one transaction. */
const forgottenPerStep = 500
/** Earlier versions kept of each asset for `page rollback`. */
const earlierVersionsKept = 20
/** A removed asset's versions stay this long, so that a server that has not looked again yet still finds the bytes. */
const removedKeptMs = 60 * 60 * 1000

/**
 * Forgets versions that are neither in force nor kept for `page rollback`; answers the hashes that nothing names any
 * more. What is to go is looked for without the write lock, which is taken to delete what was found.
 */
export async function forgetOldVersions(connection: Connection, now: number): Promise<string[]> {
  const { db } = connection
  const old = oldVersions(now)
  const hashes = new Set<string>()
  for (;;) {
    const found = db.select({ row: sql<number>`rowid` }).from(assetVersion).where(old).limit(forgottenPerStep).all()
    if (found.length === 0) break
    const rows = found.map(({ row }) => row)
    const gone = db
      .delete(assetVersion)
      .where(inArray(sql`rowid`, rows))
      .returning({ sha256: assetVersion.sha256 })
      .all()
    for (const { sha256 } of gone) hashes.add(sha256)
    await breath()
  }
  await forgetUnversionedAssets(connection)
  return unreferenced(connection, [...hashes])
}

/** Of the hashes, those that neither a version kept on this box names, nor a submission whose device had been served that page. */
export function unreferenced({ db }: Connection, hashes: string[]): string[] {
  const candidates = sql`json_each(${JSON.stringify(hashes)})`
  const version = db.select({ one: sql`1` }).from(assetVersion).where(eq(assetVersion.sha256, sql`value`))
  const submission = db.select({ one: sql`1` }).from(submissionFact).where(eq(submissionFact.pageSha256, sql`value`))
  const found = sql`SELECT value FROM ${candidates} WHERE NOT EXISTS ${version} AND NOT EXISTS ${submission}`
  return db.all<{ value: string }>(found).map(({ value }) => value)
}

function oldVersions(now: number) {
  const later = sql`(SELECT count(*) FROM asset_version later WHERE later.asset_id = ${assetVersion.assetId} AND later.number > ${assetVersion.number})`
  const removed = sql`NOT EXISTS (SELECT 1 FROM asset_version current WHERE current.asset_id = ${assetVersion.assetId} AND current.to_revision IS NULL)`
  return and(
    isNotNull(assetVersion.supersededAt),
    sql`(${later} > ${earlierVersionsKept} OR (${removed} AND ${assetVersion.supersededAt} < ${now - removedKeptMs}))`,
  )
}

async function forgetUnversionedAssets({ db }: Connection): Promise<void> {
  const versions = db.select({ one: sql`1` }).from(assetVersion).where(eq(assetVersion.assetId, asset.id))
  for (;;) {
    const found = db.select({ id: asset.id }).from(asset).where(notExists(versions)).limit(forgottenPerStep).all()
    if (found.length === 0) return
    const ids = found.map(({ id }) => id)
    db.delete(asset)
      .where(and(inArray(asset.id, ids), notExists(versions)))
      .run()
    await breath()
  }
}
