import type { Actor } from '../audit/audit-log.ts'

/** What somebody wrote about a submission. */
export interface Note {
  /** UUIDv7. */
  id: string
  /** Epoch milliseconds. */
  at: number
  by: Actor
  text: string
}

export const noteCharactersMax = 4000
/** Notes of one submission. */
export const notesMax = 200

/**
 * Notes on submissions.
 *
 * Guarantees: they go with their submission, however that goes; an erasure also takes those that name the person's address.
 */
export interface Notes {
  /** In the order in which they were written. */
  of(accountId: string, submissionId: string): Promise<Note[]>
  /** `unknown`: the account has no such submission; `full`: it has `notesMax` notes. */
  add(accountId: string, submissionId: string, note: Note): Promise<'added' | 'unknown' | 'full'>
  /** `false`: there is no such note. */
  remove(accountId: string, submissionId: string, id: string): Promise<boolean>
}
