import type { Entry, Submission } from '../../ledger/entry.ts'
import type { Device } from '../devices.ts'
import { figuresOfGoals } from '../figures/measures.ts'
import { isVisiting } from '../figures/note-hit.ts'
import type { EntryKey, ProcessedAccount } from '../ledger-item.ts'
import type { ProcessingState } from '../processing-state.ts'

interface Done {
  account: ProcessedAccount
  device: Device | null
  /** Of the entry. */
  key: EntryKey
  day: number
}

/**
 * What an entry does of the account's goals and funnels (docs/reports.md). A visit counts once for a goal, and for a step of a
 * funnel once the step before it was done; what belongs to no visit is counted as done, and for no visit.
 */
export function noteGoals(entry: Entry, { device, ...done }: Done, state: ProcessingState): void {
  const visitAt = device !== null && isVisiting(device, entry.receivedAt) ? device.visitAt : null
  note(entry, { ...done, device, visitAt }, state)
}

/** A submission that is released counts as done on that day, and for no visit: that had ended without it. */
export const noteReleasedGoals = (submission: Submission, done: Done, state: ProcessingState): void =>
  note(submission, { ...done, visitAt: null }, state)

function note(
  entry: Entry,
  { account, device, key, day, visitAt }: Done & { visitAt: number | null },
  state: ProcessingState,
): void {
  const targets = state.targetsOf(entry, account.goals)
  if (targets.length === 0) return
  const isInVisit = device !== null && visitAt !== null
  const counted = isInVisit ? state.goals.countOnce({ device: device.key, visitAt }, targets) : []
  state.goals.add({ key, accountId: account.id, device: device?.key ?? null, day, targets, visitAt, counted })
  for (const figure of figuresOfGoals({ targets, counted })) state.figures.add(account.id, { ...figure, day, count: 1 })
}
