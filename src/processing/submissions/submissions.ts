import type { Submission } from '../../ledger/entry.ts'
import type { Touch } from '../attribution/touch.ts'
import type { ShownVersion } from '../attribution/versions.ts'
import { type DeviceKey, isStored, type ServedPage } from '../devices.ts'
import type { CountedEntry, CountedSubmission } from '../figures/measures.ts'
import { type EntryKey, isLater, type Receipt, receiptOf, type UnderWay } from '../ledger-item.ts'
import type { PersonKey } from '../person/persons.ts'

/** Where a submission came from, as far as its device knows. */
export interface SubmissionOrigin {
  first: Touch | null
  last: Touch | null
  /** The landing page that the device was served last. */
  page: ServedPage | null
  /** The versions of split pages that it followed, the latest last. */
  versions: readonly ShownVersion[]
}

/** What is known about a stored submission beyond its record. */
export interface SubmissionFact extends SubmissionOrigin {
  person: PersonKey | null
  device: DeviceKey | null
  /** See note-submission.ts; `null` while refused. */
  fingerprint: string | null
  duplicateOf: string | null
  /** `null`: it counts nowhere. */
  counted: CountedSubmission | null
}

export interface NotedSubmission {
  key: EntryKey
  submission: Submission
  fact: SubmissionFact
  /** When an operator released it, epoch milliseconds; `null`: it was accepted, or is still refused. */
  releasedAt: number | null
}

/** A submission that a decision names. */
export interface KeptSubmission extends Pick<NotedSubmission, 'key' | 'submission'> {
  /** `false`: it was set aside. */
  isProcessed: boolean
  duplicateOf: string | null
  /** When the visitor confirmed it, epoch milliseconds. */
  confirmedAt: number | null
  /** As they were known when it was received. */
  versions: SubmissionFact['versions']
  /** Whether it is in quarantine. */
  isRefused: boolean
}

/** A submission that an operator has refused. */
export interface WithdrawnSubmission extends Pick<NotedSubmission, 'key' | 'submission'> {
  refusedAt: number
  /** The entry that refuses it. */
  by: EntryKey
}

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
  /** The one received first, from the instant on. */
  alike(asked: Omit<AlikeQuery, 'to'>): AlikeSubmission | null
  /** From the ledger; `null`: no longer there. @throws UnreadableEntry */
  keptSubmission(asked: SubmissionName): KeptSubmission | null
  /** What a stored one counts for. */
  countingSubmission(key: EntryKey): Pick<CountedEntry, 'goals' | 'submission'>
}

/** Facts about submissions: the step's, and the stored ones that the step asks for. */
export class Submissions {
  readonly added: NotedSubmission[] = []
  /** Stored as refused, and released by an entry of the step. */
  readonly released: NotedSubmission[] = []
  /** Stored as counting, and refused by the step's only entry. */
  readonly withdrawn: WithdrawnSubmission[] = []
  /** Those that have files. */
  readonly withFiles: Pick<NotedSubmission, 'key' | 'submission'>[] = []
  /** When visitors confirmed submissions by entries of the step, epoch milliseconds. */
  readonly confirmed = new Map<EntryKey, number>()
  readonly later: LaterSubmissions
  private readonly alikeAdded = new Map<string, AlikeSubmission[]>()
  /** The first stored one from an instant on: whoever sends the same again and again repeats that one. */
  private readonly alikeStored = new Map<string, { from: number; first: AlikeSubmission | null }>()
  private readonly keptAdded = new Map<string, NotedSubmission>()

  constructor(
    private readonly load: SubmissionLoads,
    private readonly underWay: UnderWay,
  ) {
    this.later = new LaterSubmissions(load)
  }

  add(submission: Submission, fact: SubmissionFact): void {
    const noted = { key: this.underWay.key, submission, fact, releasedAt: null }
    this.added.push(noted)
    this.later.add(noted)
    this.keptAdded.set(keptName(submission), noted)
    this.addAlike(noted)
  }

  addFiles(submission: Submission): void {
    if (submission.files !== undefined) this.withFiles.push({ key: this.underWay.key, submission })
  }

  /** The submission that a decision names; `null`: it is gone. @throws UnreadableEntry */
  kept(name: SubmissionName): KeptSubmission | null {
    const noted = this.keptAdded.get(keptName(name))
    const kept = noted === undefined ? this.load.keptSubmission(name) : keptOf(noted)
    if (kept === null) return null
    const { key, versions, confirmedAt } = kept
    return {
      ...kept,
      versions: this.later.amended.get(key)?.versions ?? versions,
      confirmedAt: this.confirmed.get(key) ?? confirmedAt,
    }
  }

  confirm({ key }: Pick<KeptSubmission, 'key'>, at: number): void {
    this.confirmed.set(key, at)
  }

  counting(key: EntryKey): Pick<CountedEntry, 'goals' | 'submission'> {
    return this.load.countingSubmission(key)
  }

  withdraw(withdrawn: Omit<WithdrawnSubmission, 'by'>): void {
    this.withdrawn.push({ ...withdrawn, by: this.underWay.key })
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
    let first = isStoredSender(query) ? this.storedAlike(query) : null
    for (const added of this.alikeAdded.get(alikeName(query)) ?? []) {
      if (added.receivedAt < query.from || added.receivedAt > query.to) continue
      if (first === null || isReceivedBefore(added, first)) first = added
    }
    return first
  }

  private storedAlike(query: AlikeQuery): AlikeSubmission | null {
    const name = alikeName(query)
    let known = this.alikeStored.get(name)
    if (known === undefined || query.from < known.from || (known.first && known.first.receivedAt < query.from)) {
      known = { from: query.from, first: this.load.alike(query) }
      this.alikeStored.set(name, known)
    }
    return known.first !== null && known.first.receivedAt <= query.to ? known.first : null
  }
}

/** A submission of this step. */
const keptOf = (noted: NotedSubmission): KeptSubmission => ({
  ...noted,
  isProcessed: true,
  isRefused: noted.fact.counted === null,
  versions: noted.fact.versions,
  duplicateOf: noted.fact.duplicateOf,
  confirmedAt: null,
})

const keptName = ({ accountId, id }: SubmissionName): string => `${accountId} ${id}`

const alikeName = ({ accountId, sender, fingerprint }: Pick<AlikeQuery, 'accountId' | 'sender' | 'fingerprint'>) =>
  `${accountId} ${sender} ${fingerprint}`

/** A sender met in this step has sent nothing before. */
const isStoredSender = ({ sender }: AlikeQuery): boolean => sender !== null && sender > 0

const isReceivedBefore = (one: AlikeSubmission, other: AlikeSubmission): boolean =>
  one.receivedAt === other.receivedAt ? one.key < other.key : one.receivedAt < other.receivedAt

/** What a late record can change about a later submission. */
export type AmendableFact = SubmissionOrigin & Pick<SubmissionFact, 'counted'>

export interface AmendableSubmission {
  key: EntryKey
  receipt: Receipt
  fact: Pick<AmendableFact, 'page' | 'versions' | 'counted'>
}

/** The device's first submissions after a receipt, at most so many. */
export interface LaterQuery {
  device: DeviceKey
  after: Receipt
  limit: number
}

interface LaterSubmissionLoads {
  /** In order of receipt. */
  laterSubmissions(asked: LaterQuery): AmendableSubmission[]
}

/** Submissions by device, in order of receipt, for late records. */
class LaterSubmissions {
  /** Amended facts of stored submissions. */
  readonly amended = new Map<EntryKey, AmendableFact>()
  private readonly added = new Map<DeviceKey, AmendableSubmission[]>()
  /** All stored ones of a device after a receipt: mostly none, and asked for with each of its hits. */
  private readonly stored = new Map<DeviceKey, { after: Receipt; all: AmendableSubmission[] }>()
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
    const { page, versions, counted } = fact
    const amendable = { page, versions, counted }
    this.meet({ key, receipt: receiptOf(submission), fact: amendable }).fact = amendable
    this.amended.delete(key)
  }

  of(query: LaterQuery): AmendableSubmission[] {
    const added = (this.added.get(query.device) ?? []).filter(({ receipt }) => isLater(receipt, query.after))
    const stored = isStored(query.device) ? this.storedOf(query) : []
    if (added.length === 0) return stored
    const inOrder = [...stored, ...added].sort((one, other) => (isLater(one.receipt, other.receipt) ? 1 : -1))
    return inOrder.slice(0, query.limit)
  }

  private storedOf(query: LaterQuery): AmendableSubmission[] {
    const { device, after, limit } = query
    const known = this.stored.get(device)
    if (known !== undefined && !isLater(known.after, after))
      return known.all.filter(({ receipt }) => isLater(receipt, after)).slice(0, limit)
    const found = this.storage.laterSubmissions(query).map((submission) => this.meet(submission))
    if (found.length < limit) this.stored.set(device, { after, all: found })
    return found
  }

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
