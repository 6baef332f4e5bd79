import { type DeviceKey, isStored } from '../devices.ts'
import type { EntryKey } from '../entry-key.ts'
import { isLater, type Receipt, receiptOf } from '../receipt.ts'
import type { NotedSubmission, SubmissionFact, SubmissionOrigin } from './submission-fact.ts'

/** What a late record can change about a later submission. */
export type AmendableFact = SubmissionOrigin & Pick<SubmissionFact, 'counted'>

export interface AmendableSubmission {
  key: EntryKey
  receipt: Receipt
  fact: Pick<AmendableFact, 'page' | 'counted'>
}

/** The device's first submissions after a receipt, at most so many. */
export interface LaterQuery {
  device: DeviceKey
  after: Receipt
  limit: number
}

export interface LaterSubmissionLoads {
  /** In order of receipt. */
  laterSubmissions(asked: LaterQuery): AmendableSubmission[]
}

/** Submissions by device, in order of receipt, for late records. */
export class LaterSubmissions {
  /** Amended facts of stored submissions. */
  readonly amended = new Map<EntryKey, AmendableFact>()
  private readonly added = new Map<DeviceKey, AmendableSubmission[]>()
  private readonly known = new Map<EntryKey, AmendableSubmission>()

  constructor(private readonly storage: LaterSubmissionLoads) {}

  add({ key, submission, fact }: NotedSubmission): void {
    if (fact.device === null) return
    const noted = { key, receipt: receiptOf(submission), fact }
    const others = this.added.get(fact.device)
    if (others === undefined) this.added.set(fact.device, [noted])
    else others.push(noted)
  }

  /** A stored submission begins to count; its fact includes earlier amendments. */
  replace({ key, submission, fact }: NotedSubmission): void {
    const { page, counted } = fact
    this.meet({ key, receipt: receiptOf(submission), fact: { page, counted } }).fact = { page, counted }
    this.amended.delete(key)
  }

  of(query: LaterQuery): AmendableSubmission[] {
    const added = (this.added.get(query.device) ?? []).filter(({ receipt }) => isLater(receipt, query.after))
    const found = isStored(query.device) ? this.storage.laterSubmissions(query) : []
    const stored = found.map((submission) => this.meet(submission))
    if (added.length === 0) return stored
    const inOrder = [...stored, ...added].sort((one, other) => (isLater(one.receipt, other.receipt) ? 1 : -1))
    return inOrder.slice(0, query.limit)
  }

  /** Keeps the amended origin. */
  amend(submission: AmendableSubmission, fact: AmendableFact): void {
    if (this.known.has(submission.key)) {
      submission.fact = fact
      this.amended.set(submission.key, fact)
    } else Object.assign(submission.fact, fact)
  }

  /** A stored submission that is to be amended: the same object for the same submission, amendments included. */
  meet<Known extends AmendableSubmission>(submission: Known): Known {
    const known = (this.known.get(submission.key) as Known | undefined) ?? submission
    this.known.set(submission.key, known)
    return known
  }
}
