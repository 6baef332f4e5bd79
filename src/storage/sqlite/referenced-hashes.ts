import { asc, gt } from 'drizzle-orm'
import type { Connection } from './connection.ts'
import { assetVersion } from './schema.ts'

/** Hashes read at once. */
const pageRows = 500

/** Every hash that a version kept on this box names, in ascending order, each once; read page by page. */
export function* referencedHashes({ db }: Connection): Generator<string> {
  let last = ''
  for (;;) {
    const page = db
      .selectDistinct({ sha256: assetVersion.sha256 })
      .from(assetVersion)
      .where(gt(assetVersion.sha256, last))
      .orderBy(asc(assetVersion.sha256))
      .limit(pageRows)
      .all()
    for (const { sha256 } of page) yield sha256
    const end = page.at(-1)
    if (end === undefined) return
    last = end.sha256
  }
}
