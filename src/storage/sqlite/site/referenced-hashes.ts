import { asc, gt, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/sqlite-core'
import type { Connection } from '../database/connection.ts'
import { submissionFact } from '../processing/fact-schema.ts'
import { assetVersion } from './asset-schema.ts'

/** Hashes read at once. */
const pageRows = 500

/**
 * Every hash that a version kept on this box names, or a submission whose device had been served that page, in ascending
 * order, each once; read page by page.
 */
export function* referencedHashes({ db }: Connection): Generator<string> {
  let last = ''
  for (;;) {
    const page = union(
      db.select({ sha256: assetVersion.sha256 }).from(assetVersion).where(gt(assetVersion.sha256, last)),
      db
        .select({ sha256: sql<string>`${submissionFact.pageSha256}`.as('sha256') })
        .from(submissionFact)
        .where(gt(submissionFact.pageSha256, last)),
    )
      .orderBy(asc(sql`sha256`))
      .limit(pageRows)
      .all()
    for (const { sha256 } of page) yield sha256
    const end = page.at(-1)
    if (end === undefined) return
    last = end.sha256
  }
}
