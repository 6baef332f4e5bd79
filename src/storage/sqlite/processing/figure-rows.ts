import type { Database } from 'bun:sqlite'
import { startOfMonth } from '../../../lib/calendar.ts'
import type { DaysAround, FigureLoads, Figures, NamesOfDay } from '../../../processing/figures/figures.ts'
import { otherNames } from '../../../processing/figures/measures.ts'
import { BulkInsert, type StoredKeys } from './bulk-insert.ts'
import { channelColumn, storedChannel } from './device-rows.ts'
import type { RowOfAccount } from './processed-accounts.ts'

/** The tables `day_figure` and `visitor_day`, and which months of `month_figure` they change. */
export class FigureRows {
  private readonly statements: ReturnType<typeof prepareStatements>
  private readonly changedMonths: ChangedMonths

  constructor(
    raw: Database,
    private readonly rowOfAccount: RowOfAccount,
    private readonly devices: Pick<StoredKeys, 'rowOf'>,
  ) {
    this.statements = prepareStatements(raw)
    this.changedMonths = new ChangedMonths(raw)
  }

  names({ accountId, day, division }: NamesOfDay): string[] {
    return this.statements.names.all(this.rowOfAccount(accountId), day, division).map(({ name }) => name)
  }

  daysAround({ device, day }: Parameters<FigureLoads['daysAround']>[0]): DaysAround {
    const { dayBefore, dayAfter, isNoted } = this.statements
    const before = dayBefore.get(device, day)
    return {
      before: before && { day: before.day, channel: storedChannel(before.channel) },
      after: dayAfter.get(device, day)?.day ?? null,
      isNoted: isNoted.get(device, day) !== null,
    }
  }

  keep({ changes, visitorDays }: Pick<Figures, 'changes' | 'visitorDays'>): void {
    const rows = Array.from(
      changes,
      ({ accountId, day, measure, name, count }) => [this.rowOfAccount(accountId), day, measure, name, count] as const,
    )
    this.statements.add.run(rows.map((row) => [...row]))
    this.changedMonths.noteDays(rows.map(([accountRow, day]) => [accountRow, day]))
    this.statements.noteVisitor.run(
      visitorDays.map(({ device, day, visit }) => [
        this.devices.rowOf(device),
        day,
        channelColumn(visit?.channel ?? null),
      ]),
    )
  }

  /**
   * Deletes the rows that are zero on the days of kept changes, and marks days on which others may have their names' places.
   * Processing leaves such rows, because a name counts towards its day's limit; they can name what a person who is erased brought.
   */
  forgetZeros({ changes }: Pick<Figures, 'changes'>): void {
    const days = new Map(Array.from(changes, ({ accountId, day }) => [`${accountId} ${day}`, { accountId, day }]))
    for (const { accountId, day } of days.values()) {
      const accountRow = this.rowOfAccount(accountId)
      const { changes: gone } = this.statements.forgetZeros.run(accountRow, day)
      if (gone > 0) this.statements.markDay.run(accountRow, day)
    }
  }
}

/** Notes the months whose figures change. Call in the transaction that changes them. */
class ChangedMonths {
  private readonly note: BulkInsert

  constructor(raw: Database) {
    // Nothing is written for a month that is noted already, as the present one mostly is.
    this.note = new BulkInsert(
      raw,
      'month_figure (account_row, first_day)',
      'ON CONFLICT DO UPDATE SET sums = NULL WHERE sums IS NOT NULL',
    )
  }

  noteDays(changes: Iterable<readonly [accountRow: number, day: number]>): void {
    const months = new Map<string, [number, number]>()
    let [lastDay, firstDay] = [Number.NaN, Number.NaN]
    for (const [accountRow, day] of changes) {
      // Changes of one day come together.
      if (day !== lastDay) [lastDay, firstDay] = [day, startOfMonth(day)]
      const key = `${accountRow} ${firstDay}`
      if (!months.has(key)) months.set(key, [accountRow, firstDay])
    }
    this.note.run([...months.values()])
  }
}

function prepareStatements(raw: Database) {
  return {
    names: raw.query<{ name: string }, [number, number, string]>(
      `SELECT name FROM day_figure WHERE account_row = ?1 AND day = ?2 AND measure IN ('visit_' || ?3, 'lead_' || ?3)`,
    ),
    isNoted: raw.query<object, [number, number]>('SELECT 1 FROM visitor_day WHERE device_row = ? AND day = ?'),
    // What retention has taken of these days, the device remembers the last of.
    dayBefore: raw.query<{ day: number; channel: string | null }, [number, number]>(
      `SELECT day, channel FROM visitor_day WHERE device_row = ?1 AND day < ?2
       UNION ALL SELECT expired_view_day, expired_channel FROM device WHERE row = ?1 AND expired_view_day < ?2
       ORDER BY day DESC LIMIT 1`,
    ),
    dayAfter: raw.query<{ day: number }, [number, number]>(
      'SELECT day FROM visitor_day WHERE device_row = ? AND day > ? ORDER BY day LIMIT 1',
    ),
    add: new BulkInsert(
      raw,
      'day_figure (account_row, day, measure, name, count)',
      'ON CONFLICT DO UPDATE SET count = count + excluded.count',
    ),
    forgetZeros: raw.query<null, [number, number]>(
      'DELETE FROM day_figure WHERE account_row = ? AND day = ? AND count = 0',
    ),
    markDay: raw.query<null, [number, number]>(
      `INSERT OR REPLACE INTO stale_day (account_row, day) SELECT ?1, ?2
       WHERE EXISTS (SELECT 1 FROM day_figure WHERE account_row = ?1 AND day = ?2 AND name = '${otherNames}' AND count > 0)`,
    ),
    noteVisitor: new BulkInsert(
      raw,
      'visitor_day (device_row, day, channel)',
      'ON CONFLICT DO UPDATE SET channel = excluded.channel',
    ),
  }
}
