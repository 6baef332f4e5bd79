import type { Changes, FoldStore, Loads } from '../../../processing/fold.ts'
import type { Connection } from '../database/connection.ts'
import { ClickRows } from './click-rows.ts'
import { DeliveryRows, ReplyRows } from './delivery-rows.ts'
import { DeviceRows, TouchRows } from './device-rows.ts'
import { FigureRows } from './figure-rows.ts'
import { GoalRows } from './goal-rows.ts'
import { PersonRows } from './person-rows.ts'
import type { RowOfAccount } from './processed-accounts.ts'
import { QuarantineCounts } from './quarantine.ts'
import { SubmissionRows } from './submission-rows.ts'
import { WithdrawnRows } from './withdrawn-rows.ts'

/**
 * What processing derived from the ledger, in SQLite. Lives as long as one connection; statements are prepared once.
 */
export class SqliteFoldStore implements FoldStore {
  readonly clicks: ClickRows
  readonly touches: TouchRows
  readonly figures: FigureRows
  private readonly devices: DeviceRows
  private readonly persons: PersonRows
  readonly submissions: SubmissionRows
  private readonly withdrawn: WithdrawnRows
  private readonly quarantine: QuarantineCounts
  private readonly deliveries: DeliveryRows
  private readonly replies: ReplyRows
  private readonly goals: GoalRows
  readonly load: Loads

  constructor(
    { raw }: Pick<Connection, 'raw'>,
    private readonly rowOfAccount: RowOfAccount,
  ) {
    const devices = new DeviceRows(raw, rowOfAccount)
    const persons = new PersonRows(raw, rowOfAccount, devices.keys)
    const touches = new TouchRows(raw, devices.keys)
    const figures = new FigureRows(raw, rowOfAccount, devices.keys)
    const clicks = new ClickRows(raw, rowOfAccount, devices.keys)
    const submissions = new SubmissionRows(raw, rowOfAccount, { devices: devices.keys, persons: persons.keys })
    this.devices = devices
    this.persons = persons
    this.touches = touches
    this.figures = figures
    this.clicks = clicks
    this.submissions = submissions
    this.withdrawn = new WithdrawnRows(raw)
    this.quarantine = new QuarantineCounts(raw)
    this.deliveries = new DeliveryRows(raw, rowOfAccount)
    const replies = new ReplyRows(raw, rowOfAccount)
    this.replies = replies
    const goals = new GoalRows(raw, rowOfAccount, devices.keys)
    this.goals = goals
    this.load = {
      device: (asked) => devices.named(asked),
      person: (asked) => persons.named(asked),
      firstTouch: (asked) => touches.first(asked),
      lastTouch: (device, upTo) => touches.last(device, upTo),
      pageServed: (asked) => devices.pageServed(asked),
      daysAround: (asked) => figures.daysAround(asked),
      figureNames: (asked) => figures.names(asked),
      alike: (asked) => submissions.alike(asked),
      keptSubmission: (asked) => submissions.kept(asked),
      countingSubmission: (key) => submissions.counting(key),
      laterSubmissions: (asked) => submissions.later(asked),
      clicksAround: (asked) => clicks.around(asked),
      clicksAwaitingLife: (asked) => clicks.awaitingLife(asked),
      capturedClick: (asked) => clicks.captured(asked),
      replyHistory: (asked) => replies.history(asked),
      doneInVisit: (asked) => goals.doneInVisit(asked),
    }
  }

  /** Devices and persons first: other rows refer to their new row numbers. */
  keep(changes: Changes): void {
    this.devices.keep(changes.devices)
    this.persons.keep(changes.persons)
    this.touches.keep(changes.touches)
    this.submissions.keep(changes.submissions)
    this.withdrawn.keep(changes.submissions)
    this.quarantine.keep(changes.submissions, this.rowOfAccount)
    this.clicks.keep(changes.clicks)
    this.figures.keep(changes.figures)
    this.deliveries.keep(changes.deliveries)
    this.replies.keep(changes.replies)
    this.goals.keep(changes.goals)
  }
}
