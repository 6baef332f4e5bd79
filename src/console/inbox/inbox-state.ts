import type { Actor } from '../audit/audit-log.ts'

/** `new`: nobody has opened it; `seen`: somebody has; `done`: somebody said so. */
export const inboxStates = ['new', 'seen', 'done'] as const
export type InboxState = (typeof inboxStates)[number]

/** How far people have come with a submission. */
export interface StateOfSubmission {
  state: InboxState
  /** Since when, epoch milliseconds; `null`: of a new one. */
  at: number | null
  /** Who made it so; `null`: of a new one. */
  by: Actor | null
}

export const newState: StateOfSubmission = { state: 'new', at: null, by: null }

/** A state that somebody gives a submission. */
export interface GivenState {
  state: InboxState
  at: number
  by: Actor
}

/**
 * The states of submissions. What is not kept is new.
 *
 * Guarantees: a state goes with its submission, however that goes.
 */
export interface InboxStates {
  /** Of those that are not new, by submission id. */
  of(accountId: string, submissionIds: readonly string[]): Promise<Map<string, StateOfSubmission>>
  /** `false`: the account has no such submission. */
  set(accountId: string, submissionId: string, given: GivenState): Promise<boolean>
  /** Makes a new one seen; any other stays as it is. */
  see(accountId: string, submissionId: string, given: Omit<GivenState, 'state'>): Promise<void>
}
