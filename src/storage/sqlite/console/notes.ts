import { and, asc, count, eq } from 'drizzle-orm'
import { type Note, type Notes, notesMax } from '../../../console/inbox/notes.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { submissionNote } from '../schema/inbox-schema.ts'
import { submissionPlace } from './stored-submission.ts'

const { id, at, by, text } = submissionNote

export class SqliteNotes implements Notes {
  constructor(private readonly connection: Pick<Connection, 'db' | 'raw'>) {}

  async of(accountId: string, submissionId: string): Promise<Note[]> {
    const place = submissionPlace(this.connection, accountId, submissionId)
    if (place === null) return []
    return this.connection.db
      .select({ id, at, by, text })
      .from(submissionNote)
      .where(eq(submissionNote.sequence, place.sequence))
      .orderBy(asc(submissionNote.row))
      .limit(notesMax)
      .all()
  }

  async add(accountId: string, submissionId: string, note: Note): Promise<'added' | 'unknown' | 'full'> {
    return writeTransaction(this.connection, () => {
      const { db } = this.connection
      const place = submissionPlace(this.connection, accountId, submissionId)
      if (place === null) return 'unknown'
      const isSame = eq(submissionNote.sequence, place.sequence)
      const kept = db.select({ notes: count() }).from(submissionNote).where(isSame).get()
      if ((kept?.notes ?? 0) >= notesMax) return 'full'
      db.insert(submissionNote)
        .values({ ...place, ...note })
        .run()
      return 'added'
    })
  }

  async remove(accountId: string, submissionId: string, noteId: string): Promise<boolean> {
    const place = submissionPlace(this.connection, accountId, submissionId)
    if (place === null) return false
    const isMeant = and(eq(submissionNote.sequence, place.sequence), eq(submissionNote.id, noteId))
    return (
      this.connection.db.delete(submissionNote).where(isMeant).returning({ id: submissionNote.id }).all().length > 0
    )
  }
}
