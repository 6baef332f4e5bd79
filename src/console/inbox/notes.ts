import type { Actor } from '../audit/audit-log.ts'

export interface Note {
  id: string
  at: number
  by: Actor
  text: string
}

export const noteCharactersMax = 4000
export const notesMax = 200

/**
 * Notes on submissions.
 *
 * Guarantees: notes are deleted together with their submission, whatever deletes it; an erasure also deletes notes that contain
 * the person's address.
 */
export interface Notes {
  /** Oldest first. */
  of(accountId: string, submissionId: string): Promise<Note[]>
  /** `unknown`: the account has no such submission; `full`: the submission has `notesMax` notes. */
  add(accountId: string, submissionId: string, note: Note): Promise<'added' | 'unknown' | 'full'>
  remove(accountId: string, submissionId: string, id: string): Promise<boolean>
}
