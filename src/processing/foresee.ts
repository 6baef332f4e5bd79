import { isDecision } from '../ledger/decision.ts'
import type { Entry, Submission } from '../ledger/entry.ts'
import type { Hit } from './attribution/touch.ts'
import { isView } from './attribution/touch-of.ts'
import type { ClicksAroundQuery } from './clicks/burst-groups.ts'
import type { AwaitingLifeQuery } from './clicks/clicks.ts'
import { aroundQuery } from './clicks/judge-again.ts'
import { lifeQuery } from './clicks/note-life.ts'
import { type Device, type DeviceKey, isStored } from './devices.ts'
import type { LedgerItem } from './entry-key.ts'
import type { VisitorDay } from './figures/figures.ts'
import type { DeviceVisit } from './goals/goals.ts'
import { statedEmail } from './person/tie-to-person.ts'
import type { ProcessedAccount } from './processed-account.ts'
import type { ProcessingState } from './processing-state.ts'
import { isLater, type Receipt, receiptOf } from './receipt.ts'
import { amendedMax } from './submissions/amend-later.ts'
import { alikeQuery } from './submissions/note-submission.ts'

/**
 * Loads what a batch of entries touches: first what they name, then what is known of their devices. May load more than
 * the rules ask for, but never less of what is asked often.
 */
export function foresee(items: readonly LedgerItem[], state: ProcessingState): void {
  const counted = items.filter(isCounted)
  foreseeNames(counted, state)
  foreseeSubmissions(counted, state)
  const known = knownVisits(counted, state)
  foreseeDevices(known, state)
  foreseeClicks(counted, known, state)
}

interface KnownVisit {
  entry: Entry
  account: ProcessedAccount
  device: Device
}

function foreseeNames(items: readonly LedgerItem<Entry>[], { devices, persons }: ProcessingState): void {
  const names = items.flatMap(({ entry: { accountId, deviceId: id } }) => (id === null ? [] : [{ accountId, id }]))
  devices.foresee(names)
  const emails = items.flatMap(({ entry }) => {
    const email = isRefused(entry) ? null : statedEmail(entry)
    return email === null ? [] : [{ accountId: entry.accountId, email }]
  })
  persons.foresee(emails)
}

function foreseeSubmissions(items: readonly LedgerItem<Entry>[], state: ProcessingState): void {
  const { submissions, figures, days } = state
  const leads = items.filter(isLead)
  submissions.foresee(
    leads.flatMap(({ entry }) => {
      const mark = submissions.fingerprintOf(entry)
      if (mark === null) return []
      return [alikeQuery(entry, mark, knownSender(entry, state))]
    }),
  )
  const splits = leads.flatMap(({ entry, account }) => {
    const day = days.of(entry.receivedAt, account.timezone)
    return (['lead_source', 'lead_campaign'] as const).map((measure) => ({ accountId: account.id, day, measure }))
  })
  figures.foresee({ splits, visits: [] })
}

function knownSender({ accountId, email, deviceId: id }: Submission, { persons, devices }: ProcessingState) {
  if (email !== null) return persons.known({ accountId, email })
  return id === null ? null : devices.known({ accountId, id })
}

/** What storage may know about devices it has. */
function foreseeDevices(known: readonly KnownVisit[], state: ProcessingState): void {
  const { touches, submissions, figures, goals, days } = state
  const first = new Set<DeviceKey>()
  const last = new Set<DeviceKey>()
  const visits: VisitorDay[] = []
  const goalVisits: DeviceVisit[] = []
  const earliest = new Map<DeviceKey, Receipt>()
  for (const { entry, account, device } of known) {
    const { key, visitAt } = device
    if (visitAt !== null && state.targetsOf(entry, account.goals).length > 0) goalVisits.push({ device: key, visitAt })
    if (entry.kind === 'submission') {
      last.add(key)
      continue
    }
    const receipt = receiptOf(entry)
    const before = earliest.get(key)
    const isEarlier = before === undefined || isLater(before, receipt)
    if (isEarlier && mayTellOrigin(entry)) earliest.set(key, receipt)
    if (!isView(entry)) continue
    first.add(key)
    const day = days.of(entry.receivedAt, account.timezone)
    if (day !== device.viewDay) visits.push({ device: key, day })
  }
  goals.foresee(goalVisits)
  touches.foresee({ first, last })
  figures.foresee({ splits: [], visits })
  submissions.later.foresee(Array.from(earliest, ([device, after]) => ({ device, after, limit: amendedMax })))
}

function foreseeClicks(
  items: readonly LedgerItem<Entry>[],
  known: readonly KnownVisit[],
  state: ProcessingState,
): void {
  const { clicks, verdicts } = state
  const around: ClicksAroundQuery[] = []
  for (const { entry } of items) {
    if (entry.kind !== 'click') continue
    around.push(aroundQuery({ ...entry, group: clicks.groupOf(entry), at: entry.receivedAt }, verdicts))
  }
  const awaitingLife: (AwaitingLifeQuery & { accountId: string })[] = []
  for (const { entry, account, device } of known) {
    const { key, awaitsLifeSince: since } = device
    if (since === null || entry.kind === 'submission' || entry.kind === 'click' || verdicts.isBot(entry)) continue
    awaitingLife.push({ ...lifeQuery(key, since), accountId: account.id })
  }
  clicks.foresee({ around, awaitingLife })
}

/** Entries of devices that storage may know more about. */
function knownVisits(items: readonly LedgerItem<Entry>[], { devices }: ProcessingState): KnownVisit[] {
  const known: KnownVisit[] = []
  for (const { entry, account } of items) {
    if (entry.deviceId === null) continue
    const device = devices.known({ accountId: account.id, id: entry.deviceId })
    if (device !== null && isStored(device.key)) known.push({ entry, account, device })
  }
  return known
}

/** Whether the entry can change where a later submission came from. */
function mayTellOrigin(entry: Hit): boolean {
  if (isView(entry) || entry.kind === 'click') return true
  for (const _ in entry.attribution) return true
  return false
}

const isRefused = (entry: Entry): boolean => entry.kind === 'submission' && entry.status === 'refused'

/** Decisions are too rare to be worth asking together. */
const isCounted = (item: LedgerItem): item is LedgerItem<Entry> => !isDecision(item.entry) && !item.entry.test

const isLead = (item: LedgerItem<Entry>): item is LedgerItem<Submission> =>
  item.entry.kind === 'submission' && item.entry.status === 'accepted'
