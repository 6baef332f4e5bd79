import type { Database } from 'bun:sqlite'
import type { DaysAround, FigureSplit, Figures, VisitedDays, VisitorDay } from '../../../processing/figures/figures.ts'
import { answersOf, eachKey, forEachKey, keyPart, listsOf, manyKeys, position } from '../lookup/many-keys.ts'
import { dayAfter, dayBefore } from '../lookup/visited-days.ts'
import { BulkInsert } from './bulk-insert.ts'
import { isOfOthers } from './fact-schema.ts'
import { ChangedMonths } from './month-figures.ts'
import type { RowOfAccount } from './processed-accounts.ts'
import type { StoredKeys } from './stored-keys.ts'

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

  names(asked: FigureSplit[]): string[][] {
    const keys = asked.map(({ accountId, day, measure }) => [this.rowOfAccount(accountId), day, measure])
    return listsOf(asked, this.statements.names(keys), ({ name }) => name)
  }

  visitedDays(asked: VisitorDay[]): VisitedDays[] {
    const keys = asked.map(({ device, day }) => [device, day])
    const found = answersOf(asked, this.statements.visitedDays(keys), ({ isNoted, before, after }) => ({
      isNoted: isNoted === 1,
      before,
      after,
    }))
    return found.map((days) => days ?? { isNoted: false, before: null, after: null })
  }

  keep({ changes, visitorDays }: Pick<Figures, 'changes' | 'visitorDays'>): void {
    const rows = Array.from(
      changes,
      ({ accountId, day, measure, name, count }) => [this.rowOfAccount(accountId), day, measure, name, count] as const,
    )
    this.statements.add.run(rows.map((row) => [...row]))
    this.changedMonths.noteDays(rows.map(([accountRow, day]) => [accountRow, day]))
    this.statements.noteVisitor.run(visitorDays.map(({ device, day }) => [this.devices.rowOf(device), day]))
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

function prepareStatements(raw: Database) {
  return {
    names: manyKeys<{ position: number; name: string }>(
      raw,
      `SELECT ${position}, name ${forEachKey('day_figure')} ON account_row = ${keyPart(0)} AND day = ${keyPart(1)}
         AND measure = ${keyPart(2)}`,
    ),
    visitedDays: manyKeys<DaysAround & { position: number; isNoted: number }>(
      raw,
      `SELECT ${position},
         EXISTS (SELECT 1 FROM visitor_day WHERE device_row = ${keyPart(0)} AND day = ${keyPart(1)}) AS isNoted,
         ${dayBefore(keyPart(0), keyPart(1))} AS before, ${dayAfter(keyPart(0), keyPart(1))} AS after
       ${eachKey}`,
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
      `INSERT OR REPLACE INTO stale_day (account_row, day)
       SELECT account_row, lead_day FROM submission_fact WHERE account_row = ? AND lead_day = ? AND ${isOfOthers} LIMIT 1`,
    ),
    noteVisitor: new BulkInsert(raw, 'visitor_day (device_row, day)'),
  }
}
