import { desc, eq } from 'drizzle-orm'
import {
  type PublicationLog,
  type PublicationNote,
  type PublishedNote,
  publicationsKept,
  receiversShownMs,
} from '../../../site/publication-log.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { knownAccountRow } from '../lookup/account-row.ts'
import { account } from '../schema/account-schema.ts'
import { publication } from '../schema/site-schema.ts'

export class SqlitePublicationLog implements PublicationLog {
  constructor(
    private readonly connection: Connection,
    private readonly reader: Connection,
  ) {}

  async add(accountId: string, note: PublishedNote): Promise<void> {
    const accountRow = knownAccountRow(this.connection, accountId)
    writeTransaction(this.connection, () => notePublication(this.connection, accountRow, note))
  }

  async read(accountId: string, limit: number): Promise<PublishedNote[]> {
    return this.reader.db
      .select({ note: publication })
      .from(publication)
      .innerJoin(account, eq(account.row, publication.accountRow))
      .where(eq(account.id, accountId))
      .orderBy(desc(publication.row))
      .limit(Math.min(limit, publicationsKept))
      .all()
      .map(({ note: { at, via, by, origin, subjects, subjectCount, keys } }) => ({
        at,
        by: { via, name: by },
        origin,
        subjects,
        subjectCount,
        ...(keys !== null && { keys }),
      }))
  }
}

/** Call inside the publishing transaction. */
export function notePublication(
  { db, raw }: Connection,
  accountRow: number,
  { at, by, ...note }: PublicationNote & { at: number },
): void {
  const { row } = db
    .insert(publication)
    .values({ accountRow, at, via: by.via, by: by.name, ...note })
    .returning({ row: publication.row })
    .get()
  if (note.receivers !== undefined) {
    raw
      .query<null, [number, number, number]>(
        `INSERT INTO receiver_notice (publication_row, user_id, next_at)
         SELECT ?1, id, ?2 FROM console_user WHERE is_owner
           OR id IN (SELECT user_id FROM console_role WHERE account_row = ?3 AND role = 'admin')`,
      )
      .run(row, at, accountRow)
  }
  raw
    .query<null, [number, number]>(
      `DELETE FROM publication WHERE account_row = ?1 AND (receivers IS NULL OR at < ?2) AND row <=
         (SELECT row FROM publication WHERE account_row = ?1 ORDER BY row DESC LIMIT 1 OFFSET ${publicationsKept})`,
    )
    .run(accountRow, at - receiversShownMs)
}
