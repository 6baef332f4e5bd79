import { startOfMonth, startOfMonthAfter } from '../../../lib/calendar.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { monthSums } from '../report/month-sums.ts'

const dayMs = 86_400_000
/** A month is over everywhere two days after it is over in UTC. */
const daysBehind = 2

/** Adds up the figures of months that are over, one at a time. */
export class MonthFigures {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
  ) {
    this.statements = prepareStatements(connection)
  }

  /** Adds up the next month that waits; returns whether there was one. @throws when the disk or a lock prevents it */
  addUpNext(): boolean {
    const latestEnd = Math.floor(this.clock.now() / dayMs) - daysBehind
    const next = this.statements.next.get(startOfMonth(latestEnd))
    if (next === null) return false
    writeTransaction(this.connection, () => this.addUp(next))
    return true
  }

  private addUp({ accountRow, firstDay }: WaitingMonth): void {
    const sums = monthSums(this.connection.raw, [accountRow, firstDay, startOfMonthAfter(firstDay, 1)])
    this.statements.keep.run(JSON.stringify(sums), accountRow, firstDay)
  }
}

interface WaitingMonth {
  accountRow: number
  firstDay: number
}

/** Asked on the thread that commits whenever no entry waits: its cost must not grow with the months of the box. */
export const waitingMonthQuery =
  'SELECT account_row AS accountRow, first_day AS firstDay FROM month_figure WHERE sums IS NULL AND first_day < ? LIMIT 1'

const prepareStatements = ({ raw }: Connection) => ({
  next: raw.query<WaitingMonth, [number]>(waitingMonthQuery),
  keep: raw.query<null, [string, number, number]>(
    'UPDATE month_figure SET sums = ? WHERE account_row = ? AND first_day = ?',
  ),
})
