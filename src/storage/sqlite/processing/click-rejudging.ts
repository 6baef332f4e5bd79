import { eq } from 'drizzle-orm'
import type { ClickVerdict } from '../../../ledger/entry.ts'
import type { Clock } from '../../../lib/clock.ts'
import { judgeAgain } from '../../../processing/clicks/judging.ts'
import type { EntryKey } from '../../../processing/ledger-item.ts'
import type { ClickRejudging, RejudgedClicks } from '../../../processing/processing.ts'
import { Verdicts } from '../../../verdict/verdicts.ts'
import type { Connection } from '../database/connection.ts'
import { breath } from '../database/in-steps.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { noteUnlinkable } from '../lookup/following.ts'
import { account } from '../schema/account-schema.ts'
import { Folding } from './folding.ts'

/** How long a step may hold the write lock: 20 ms, less a slow disk's share. */
const stepMs = 8
/** Clicks read at a time: each may have to be compared with a hundred others. */
const pageRows = 4

interface Progress {
  accountRow: number
  behind: number
  clicks: number
  changes: Map<string, RejudgedClicks['changed'][number]>
}

/** Judges stored clicks again, each step in one transaction. */
export class SqliteClickRejudging implements ClickRejudging {
  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly verdicts = new Verdicts(),
  ) {}

  async rejudge(accountId: string): Promise<RejudgedClicks> {
    const { db } = this.connection
    const found = db.select({ row: account.row }).from(account).where(eq(account.id, accountId)).get()
    if (!found) return { clicks: 0, changed: [] }
    const folding = new Folding(this.connection, this.verdicts)
    const progress: Progress = { accountRow: found.row, behind: 0, clicks: 0, changes: new Map() }
    while (this.step(accountId, progress, folding) === 'more') await breath()
    const changed = [...progress.changes.values()].sort((one, other) => other.clicks - one.clicks)
    return { clicks: progress.clicks, changed }
  }

  private step(accountId: string, progress: Progress, folding: Folding): 'more' | 'done' {
    const work = (): 'more' | 'done' => {
      const deadlineMs = this.clock.monotonicMs() + stepMs
      const fold = folding.begin()
      if (folding.account(progress.accountRow) === null) return 'done'
      const { clicks } = fold.state
      let read = pageRows
      let hasChanged = false
      while (read === pageRows && this.clock.monotonicMs() < deadlineMs) {
        const found = clicks.meet(folding.store.clicks.listAfter(progress.accountRow, progress.behind, pageRows))
        read = found.length
        for (const click of found) {
          const { key, verdict: from } = click
          const to = judgeAgain(accountId, click, fold.state)
          noteVerdict(progress, key, { from, to })
          hasChanged ||= from !== to
        }
      }
      fold.keep()
      if (hasChanged) noteUnlinkable(this.connection)
      return read === pageRows ? 'more' : 'done'
    }
    return writeTransaction(this.connection, work)
  }
}

function noteVerdict(progress: Progress, key: EntryKey, { from, to }: { from: ClickVerdict; to: ClickVerdict }): void {
  progress.behind = key
  progress.clicks++
  if (from === to) return
  const change = progress.changes.get(`${from} ${to}`) ?? { from, to, clicks: 0 }
  change.clicks++
  progress.changes.set(`${from} ${to}`, change)
}
