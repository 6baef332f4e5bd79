import { eq } from 'drizzle-orm'
import type { KeptFile, KeptFolder, KeptFolders } from '../../../site/kept-folder.ts'
import type { Connection } from '../database/connection.ts'
import { account } from '../schema/account-schema.ts'
import { keptFolder } from '../schema/kept-folder-schema.ts'

export class SqliteKeptFolders implements KeptFolders {
  constructor(private readonly connection: Connection) {}

  async read(accountId: string): Promise<KeptFolder | null> {
    const { db } = this.connection
    return db.transaction(() => {
      const found = db
        .select({ row: account.row, siteRevision: account.siteRevision, siteToml: keptFolder.siteToml })
        .from(account)
        .innerJoin(keptFolder, eq(keptFolder.accountRow, account.row))
        .where(eq(account.id, accountId))
        .get()
      if (found === undefined) return null
      return { siteToml: found.siteToml, files: keptFiles(this.connection, found) }
    })
  }
}

/** The files as of a site revision, ordered by path. */
export const keptFiles = (
  { raw }: Connection,
  { row, siteRevision }: { row: number; siteRevision: number },
): KeptFile[] =>
  raw
    .query<KeptFile, [number, number]>(
      `SELECT path, sha256, byte_count AS byteCount FROM kept_file
       WHERE account_row = ?1 AND from_revision <= ?2 AND (to_revision IS NULL OR to_revision > ?2)
       ORDER BY path`,
    )
    .all(row, siteRevision)
