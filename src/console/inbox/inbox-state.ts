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
