import type { Submission } from '../../ledger/entry.ts'
import type { DeviceKey } from '../devices.ts'
import type { EntryKey, UnderWay } from '../entry-key.ts'
import type { PersonKey } from '../person/persons.ts'
import { type LaterSubmissionLoads, LaterSubmissions } from './later-submissions.ts'
import type { KeptSubmission, NotedSubmission, SubmissionFact } from './submission-fact.ts'

/** Equal submissions of an account between two instants, both included, epoch milliseconds. */
export interface AlikeQuery {
  accountId: string
  sender: SenderKey
  fingerprint: string
  from: number
  to: number
}

/** The sender of a fingerprint: the person, or the device if there is no address; `null`: nobody in storage. */
type SenderKey = PersonKey | DeviceKey | null

export interface AlikeSubmission {
  key: EntryKey
  id: string
  receivedAt: number
  duplicateOf: string | null
}

export interface SubmissionName {
  accountId: string
  id: string
}

export interface SubmissionLoads extends LaterSubmissionLoads {
  /** The one received first. */
  alike(asked: AlikeQuery): AlikeSubmission | null
  /** From the ledger; `null`: no longer there. @throws UnreadableEntry */
  keptSubmission(asked: SubmissionName): KeptSubmission | null
}

/** Facts about submissions: the step's, and the stored ones that the step asks for. */
export class Submissions {
  readonly added: NotedSubmission[] = []
  /** Stored as refused, and released by an entry of the step. */
  readonly released: NotedSubmission[] = []
  readonly later: LaterSubmissions
  private readonly alikeAdded = new Map<string, AlikeSubmission[]>()
  private readonly keptAdded = new Map<string, NotedSubmission>()

  constructor(
    private readonly load: SubmissionLoads,
    private readonly underWay: UnderWay,
  ) {
    this.later = new LaterSubmissions(load)
  }

  /** Keeps the fact of the submission under way. */
  add(submission: Submission, fact: SubmissionFact): void {
    const noted = { key: this.underWay.key, submission, fact, releasedAt: null }
    this.added.push(noted)
    this.later.add(noted)
    if (submission.status === 'refused') this.keptAdded.set(keptName(submission), noted)
    this.addAlike(noted)
  }

  /** The submission that a release names; `null`: it is gone. @throws UnreadableEntry */
  kept(name: SubmissionName): KeptSubmission | null {
    const known = this.keptAdded.get(keptName(name))
    if (known !== undefined) return { ...known, isProcessed: true }
    return this.load.keptSubmission(name)
  }

  /** Replaces the fact of a refused submission. */
  release(noted: NotedSubmission): void {
    const { submission, fact, releasedAt } = noted
    const known = this.keptAdded.get(keptName(submission))
    if (known === undefined) {
      this.keptAdded.set(keptName(submission), noted)
      this.released.push(noted)
      this.later.replace(noted)
    } else {
      // Change the fact in place: later submissions refer to it too.
      Object.assign(known.fact, fact)
      known.releasedAt = releasedAt
    }
    this.addAlike(noted)
  }

  private addAlike({ key, submission: { id, receivedAt, accountId }, fact }: NotedSubmission): void {
    if (fact.fingerprint === null) return
    const alike = { key, id, receivedAt, duplicateOf: fact.duplicateOf }
    const name = alikeName({ accountId, sender: fact.person ?? fact.device, fingerprint: fact.fingerprint })
    const others = this.alikeAdded.get(name)
    if (others === undefined) this.alikeAdded.set(name, [alike])
    else others.push(alike)
  }

  /** The one received first. */
  alike(query: AlikeQuery): AlikeSubmission | null {
    let first = isStoredSender(query) ? this.load.alike(query) : null
    for (const added of this.alikeAdded.get(alikeName(query)) ?? []) {
      if (added.receivedAt < query.from || added.receivedAt > query.to) continue
      if (first === null || isReceivedBefore(added, first)) first = added
    }
    return first
  }
}

const keptName = ({ accountId, id }: SubmissionName): string => `${accountId} ${id}`

const alikeName = ({ accountId, sender, fingerprint }: Pick<AlikeQuery, 'accountId' | 'sender' | 'fingerprint'>) =>
  `${accountId} ${sender} ${fingerprint}`

/** A sender met in this step has sent nothing before. */
const isStoredSender = ({ sender }: AlikeQuery): boolean => sender !== null && sender > 0

const isReceivedBefore = (one: AlikeSubmission, other: AlikeSubmission): boolean =>
  one.receivedAt === other.receivedAt ? one.key < other.key : one.receivedAt < other.receivedAt
