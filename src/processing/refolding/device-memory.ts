import { partitionPoint } from '../../lib/partition-point.ts'
import { isDirect } from '../attribution/touch.ts'
import type { RecordedTouch } from '../attribution/touches.ts'
import type { StoredClick } from '../clicks/clicks.ts'
import { type Device, type ServedPage, servedPage } from '../devices.ts'
import type { VisitorDay } from '../figures/figures.ts'
import type { Changes, FoldStore, Loads } from '../fold.ts'
import { type EntryKey, isLater, type Receipt, receiptOf } from '../ledger-item.ts'
import type { AmendableSubmission, KeptSubmission, SubmissionOrigin } from '../submissions/submissions.ts'

/**
 * The in-memory store for refolding one device. It knows only that device. State shared with others (persons, likely
 * duplicates, a day's sources, bursts of clicks) is settled elsewhere, each by its own key.
 */
export class DeviceMemory implements FoldStore {
  /** The days with a view, with the latest visit of each. */
  readonly viewDays = new Map<number, NonNullable<VisitorDay['visit']>>()
  readonly origins = new Map<EntryKey, SubmissionOrigin>()
  readonly lives = new Map<EntryKey, number | null>()
  /** Ids of submissions that a later entry releases: the records of no others are needed. */
  readonly released = new Set<string>()
  /** In order of receipt, like all lists here. */
  private readonly touches: RecordedTouch[] = []
  private readonly undirected: RecordedTouch[] = []
  private readonly pages: ServedPage[] = []
  private readonly submissions: AmendableSubmission[] = []
  private awaitingLife: StoredClick[] = []
  /** Targets by the begin of the visit that they were counted of. */
  private readonly done = new Map<number, string[]>()
  /** Refused submissions that a later entry releases. */
  private readonly refused = new Map<string, Pick<KeptSubmission, 'key' | 'submission' | 'versions'>>()

  constructor(readonly device: Device) {
    this.keepLatestDay()
  }

  readonly load: Loads = {
    device: () => this.device,
    person: () => null,
    firstTouch: () => this.touches[0] ?? null,
    lastTouch: (_, upTo) => this.undirected[behind(this.undirected, upTo) - 1] ?? null,
    pageServed: ({ at }) => this.pages[partitionPoint(this.pages, (page) => page.at <= at) - 1] ?? null,
    daysAround: ({ day }) => ({ isNoted: this.viewDays.has(day), before: null, after: null }),
    figureNames: () => [],
    alike: () => null,
    keptSubmission: ({ id }) => this.keptSubmission(id),
    countingSubmission: () => ({ goals: null, submission: null }),
    laterSubmissions: ({ after, limit }) => {
      const from = behind(this.submissions, after)
      return this.submissions.slice(from, from + limit)
    },
    clicksAround: () => [],
    clicksAwaitingLife: ({ since, limit }) => {
      const from = partitionPoint(this.awaitingLife, ({ receivedAt }) => receivedAt < since)
      return this.awaitingLife.slice(Math.max(from, this.awaitingLife.length - limit)).reverse()
    },
    replyHistory: () => ({ isOptedOut: true, answered: [] }),
    capturedClick: () => null,
    doneInVisit: ({ visitAt }) => this.done.get(visitAt) ?? [],
  }

  keep({ devices, touches, submissions, clicks, figures, goals }: Changes): void {
    for (const { entry } of devices.entries) {
      if (entry.kind !== 'page_view') continue
      const place = partitionPoint(this.pages, ({ at }) => at <= entry.receivedAt)
      this.pages.splice(place, 0, servedPage(entry))
    }
    for (const recorded of touches.added) {
      put(this.touches, recorded)
      if (!isDirect(recorded.touch)) put(this.undirected, recorded)
    }
    this.keepSubmissions(submissions)
    for (const { day, visit } of figures.visitorDays) if (visit !== null) this.viewDays.set(day, visit)
    this.keepLatestDay()
    this.keepClicks(clicks)
    this.keepGoals(goals)
  }

  private keepLatestDay(): void {
    const { viewDay, visitAt: at, channel } = this.device
    if (viewDay !== null) this.viewDays.set(viewDay, { at, channel })
  }

  private keptSubmission(id: string): KeptSubmission | null {
    const refused = this.refused.get(id)
    if (refused === undefined) return null
    // A late view may have told more since.
    const { versions } = this.origins.get(refused.key) ?? refused
    return { ...refused, versions, isProcessed: true, isRefused: true, duplicateOf: null, confirmedAt: null }
  }

  private keepGoals({ added }: Changes['goals']): void {
    for (const { visitAt, counted } of added) {
      if (visitAt !== null) this.done.set(visitAt, [...(this.done.get(visitAt) ?? []), ...counted])
    }
  }

  private keepSubmissions({ added, released, later }: Changes['submissions']): void {
    for (const { key, submission, fact } of added) {
      put(this.submissions, { key, receipt: receiptOf(submission), fact })
      this.origins.set(key, fact)
      if (this.released.has(submission.id))
        this.refused.set(submission.id, { key, submission, versions: fact.versions })
    }
    for (const { key, submission, fact } of released) {
      const known = this.submissions[behind(this.submissions, receiptOf(submission)) - 1]
      if (known?.key === key) known.fact = fact
      this.origins.set(key, fact)
    }
    for (const [key, fact] of later.amended) this.origins.set(key, fact)
  }

  private keepClicks({ added, changed }: Changes['clicks']): void {
    for (const { key, lifeAt } of changed) this.lives.set(key, lifeAt)
    if (changed.size > 0) this.awaitingLife = this.awaitingLife.filter(({ lifeAt }) => lifeAt === null)
    for (const { click } of added) {
      this.lives.set(click.key, click.lifeAt)
      if (click.lifeAt !== null) continue
      const place = partitionPoint(this.awaitingLife, ({ receivedAt }) => receivedAt <= click.receivedAt)
      this.awaitingLife.splice(place, 0, click)
    }
  }
}

interface Received {
  receipt: Receipt
}

/** The index of the first item after the receipt. */
const behind = (items: readonly Received[], receipt: Receipt): number =>
  partitionPoint(items, (item) => !isLater(item.receipt, receipt))

const put = <Item extends Received>(items: Item[], item: Item): void => {
  items.splice(behind(items, item.receipt), 0, item)
}
