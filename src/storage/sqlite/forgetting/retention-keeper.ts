import type { RetentionSettings } from '../../../account/account.ts'
import type { Clock } from '../../../lib/clock.ts'
import { ClockWatch } from '../../../processing/forgetting/clock-watch.ts'
import type { RetainedAccount } from '../../../processing/forgetting/retention-store.ts'
import {
  type AccountRetention,
  noRecords,
  type RetentionKeeper,
  type RetentionOutlook,
  type RetentionWait,
  retentionCutoffs,
} from '../../../processing/retention.ts'
import { breath } from '../database/breath.ts'
import type { Connection } from '../database/connection.ts'
import { knownAccountRow } from '../lookup/account-row.ts'
import { expiredRecords, firstOfEachClass } from './expired-records.ts'
import { RetentionStates } from './retention-states.ts'
import { retentionIn } from './retention-store.ts'

const dayMs = 86_400_000
/** Pages of expired records that are read before others get their turn. */
const pagesPerBreath = 20

interface Row {
  handle: string
  settings: string
  passedAt: number | null
  wait: string | null
  waitsSince: number | null
  isAllowed: number
}

export class SqliteRetentionKeeper implements RetentionKeeper {
  private readonly watch: ClockWatch
  private readonly states: RetentionStates

  /** @param connection read-only will do for everything except `allow` and `trustClock` */
  constructor(
    private readonly connection: Connection,
    private readonly clockNow: Clock['now'],
  ) {
    this.states = new RetentionStates(connection)
    this.watch = new ClockWatch(this.states)
  }

  clock() {
    const now = this.clockNow()
    return { ...this.watch.look(now), now }
  }

  async accounts(): Promise<AccountRetention[]> {
    return this.connection.raw
      .query<Row, []>(
        `SELECT handle, settings, passed_at AS passedAt, wait, waits_since AS waitsSince,
           coalesce(is_allowed, 0) AS isAllowed
         FROM account LEFT JOIN retention_state ON account_row = account.row
         WHERE removed_at IS NULL AND site_revision > 0 ORDER BY handle`,
      )
      .all()
      .map(asAccount)
  }

  async outlook(accountId: string, terms: RetentionSettings): Promise<RetentionOutlook> {
    const accountRow = knownAccountRow(this.connection, accountId)
    const due = noRecords()
    const now = this.clockNow()
    const query = {
      account: accountRow as RetainedAccount,
      now,
      cutoffs: retentionCutoffs(terms, now),
      lookedThrough: new Map(),
    }
    let pages = 0
    for (const found of expiredRecords(this.connection, query)) {
      for (const expired of found) due[expired.class]++
      if (++pages % pagesPerBreath === 0) await breath()
    }
    const first = firstOfEachClass(this.connection, accountRow)
    const endOf = (at: number | null, days: number | null) => (at === null || days === null ? null : at + days * dayMs)
    return {
      due,
      nextDueAt: {
        submissions: endOf(first.submissions, terms.submissionsDays),
        events: endOf(first.events, terms.eventsDays),
        refused: endOf(first.refused, terms.refusedDays),
      },
    }
  }

  async announce(accountId: string, terms: RetentionSettings): Promise<void> {
    this.states.begin(knownAccountRow(this.connection, accountId), { at: this.clockNow(), terms })
  }

  async allow(accountId: string): Promise<RetentionWait | null> {
    return this.states.allow(knownAccountRow(this.connection, accountId))
  }

  async trustClock(): Promise<void> {
    this.watch.trust(this.clockNow())
  }
}

function asAccount({ handle, settings, passedAt, wait, waitsSince, isAllowed }: Row): AccountRetention {
  const waits = wait === null ? null : (JSON.parse(wait) as RetentionWait)
  return {
    handle,
    terms: retentionIn(settings),
    passedAt,
    wait: waits && { ...waits, since: waitsSince ?? 0, isAllowed: isAllowed === 1 },
  }
}
