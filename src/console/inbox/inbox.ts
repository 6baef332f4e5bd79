import { type KnownRevisions, revisionOf } from '../../lib/revision.ts'
import type { Actor } from '../audit/audit-log.ts'

/** `new`: nobody has opened it; `seen`: somebody has; `done`: somebody marked it. */
export const inboxStates = ['new', 'seen', 'done'] as const
export type InboxState = (typeof inboxStates)[number]

export interface StateOfSubmission {
  state: InboxState
  /** When it got this state, epoch milliseconds; `null` for a new submission. */
  at: number | null
  /** Who set the state; `null` for a new submission. */
  by: Actor | null
}

export const newState: StateOfSubmission = { state: 'new', at: null, by: null }

/** By which a state is known again. */
export const stateRevision = ({ state, at, by }: StateOfSubmission): string =>
  revisionOf(JSON.stringify([state, at, by]))

export interface GivenState {
  state: InboxState
  at: number
  by: Actor
}

/**
 * The states of submissions. A submission without a stored state is new.
 *
 * Guarantees: a state is deleted together with its submission, whatever deletes it.
 */
export interface InboxStates {
  /** The states that are not `new`, by submission id. */
  of(accountId: string, submissionIds: readonly string[]): Promise<Map<string, StateOfSubmission>>
  /** @returns `false`: the account has no such submission @throws ChangedMeanwhile when its state is none of the known */
  set(accountId: string, submissionId: string, given: GivenState, known?: KnownRevisions): Promise<boolean>
  /** Makes a new submission seen; other states do not change. */
  see(accountId: string, submissionId: string, given: Omit<GivenState, 'state'>): Promise<void>
}

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

export interface SavedFilter {
  id: string
  name: string
  /** As in the inbox's address: `status=refused&q=…`. */
  query: string
}

export const filterNameCharactersMax = 40
export const filterQueryCharactersMax = 400
export const savedFiltersMax = 30

/**
 * The saved filters of a user in an account.
 *
 * Guarantees: they are deleted with the user and with the account; an erasure deletes those that contain the person's address.
 */
export interface SavedFilters {
  /** In the order in which they were saved. */
  of(owner: FilterOwner): Promise<SavedFilter[]>
  /** Replaces a filter of the same name. `false`: the user already has `savedFiltersMax` filters. */
  save(owner: FilterOwner, filter: SavedFilter): Promise<boolean>
  remove(owner: FilterOwner, id: string): Promise<void>
}

export interface FilterOwner {
  userId: string
  accountId: string
}
