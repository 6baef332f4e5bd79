import { eq } from 'drizzle-orm'
import type { KeptFile, KeptFolder, KeptFolders } from '../../../site/kept-folder.ts'
import type { Connection } from '../database/connection.ts'
import { inSteps, rowsPerStep, writeInSteps } from '../database/in-steps.ts'
import { account } from '../schema/account-schema.ts'
import { keptFolder } from '../schema/site-schema.ts'

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
const keptFiles = ({ raw }: Connection, { row, siteRevision }: { row: number; siteRevision: number }): KeptFile[] =>
  raw
    .query<KeptFile, [number, number]>(
      `SELECT path, sha256, byte_count AS byteCount FROM kept_file
       WHERE account_row = ?1 AND from_revision <= ?2 AND (to_revision IS NULL OR to_revision > ?2)
       ORDER BY path`,
    )
    .all(row, siteRevision)

interface Standing {
  row: number
  siteRevision: number
}

/** Stages the differences between the kept files and a folder's, for the next site revision. */
export async function stageKeptFiles(connection: Connection, standing: Standing, files: KeptFile[]): Promise<void> {
  const before = new Map(keptFiles(connection, standing).map((file) => [file.path, file]))
  const after = new Set(files.map(({ path }) => path))
  const written = files.filter(({ path, sha256 }) => before.get(path)?.sha256 !== sha256)
  const gone = [...before.keys()].filter((path) => !after.has(path))
  const next = standing.siteRevision + 1
  const end = connection.raw.query<null, [number, number, string]>(
    'UPDATE kept_file SET to_revision = ? WHERE account_row = ? AND path = ? AND to_revision IS NULL',
  )
  const begin = connection.raw.query<null, [number, string, string, number, number]>(
    'INSERT INTO kept_file (account_row, path, sha256, byte_count, from_revision) VALUES (?, ?, ?, ?, ?)',
  )
  await writeInSteps(connection, gone, { write: (path) => end.run(next, standing.row, path) })
  await writeInSteps(connection, written, {
    write({ path, sha256, byteCount }) {
      end.run(next, standing.row, path)
      begin.run(standing.row, path, sha256, byteCount, next)
    },
  })
}

/** Undoes what a killed publish staged for a revision that never came. */
export async function clearUnpublishedFiles(connection: Connection, { row, siteRevision }: Standing): Promise<void> {
  await repeated(connection, 'DELETE FROM kept_file WHERE account_row = ? AND from_revision > ?', row, siteRevision)
  const revive = 'UPDATE kept_file SET to_revision = NULL WHERE account_row = ? AND to_revision > ?'
  await repeated(connection, revive, row, siteRevision)
}

/** Deletes files of earlier folders. */
export const forgetEarlierFiles = (connection: Connection, { row, siteRevision }: Standing): Promise<void> =>
  repeated(connection, 'DELETE FROM kept_file WHERE account_row = ? AND to_revision <= ?', row, siteRevision)

async function repeated({ raw }: Connection, statement: string, row: number, revision: number): Promise<void> {
  const step = raw.query<null, [number, number]>(`${statement} LIMIT ${rowsPerStep}`)
  await inSteps(() => step.run(row, revision))
}
