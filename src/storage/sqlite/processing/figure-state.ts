import { and, eq, sql } from 'drizzle-orm'
import type { Device } from '../../../processing/device-state.ts'
import type { FigureState } from '../../../processing/figures/figure-state.ts'
import type { Connection } from '../connection.ts'
import type { EntryUnderWay } from './entry-under-way.ts'
import { dayFigure, visitorDay } from './fact-schema.ts'

interface Noted {
  accountRow: number
  day: number
  measure: string
  name: string
  count: number
}

/** Figures of a step are added up and written once at its end. */
export class SqliteFigureState implements FigureState {
  private readonly statements: ReturnType<typeof prepareStatements>
  private readonly noted = new Map<string, Noted>()

  constructor(
    connection: Connection,
    private readonly underWay: EntryUnderWay,
  ) {
    this.statements = prepareStatements(connection)
  }

  add(
    _accountId: string,
    { day, measure, name, count }: { day: number; measure: string; name: string; count: number },
  ): void {
    const { accountRow } = this.underWay
    const key = keyOf({ accountRow, day, measure, name })
    const noted = this.noted.get(key)
    if (noted === undefined) this.noted.set(key, { accountRow, day, measure, name, count })
    else noted.count += count
  }

  mayName(
    _accountId: string,
    { day, measure, name }: { day: number; measure: string; name: string },
    { max, uncounted }: { max: number; uncounted: readonly string[] },
  ): boolean {
    const figure = { accountRow: this.underWay.accountRow, day, measure, name }
    if (this.noted.has(keyOf(figure)) || this.statements.named.get(figure) !== undefined) return true
    const { name: _name, ...split } = figure
    const names = { ...split, uncounted: JSON.stringify(uncounted), before: max - 1 }
    if (this.statements.lastName.get(names) !== undefined) return false
    // The next one is to find it, although figures are written at the end of the step.
    this.statements.add.run({ ...figure, count: 0 })
    return true
  }

  noteVisitor(device: Device, day: number): boolean {
    return this.statements.noteVisitor.all({ deviceRow: device.key, day }).length > 0
  }

  flush(): void {
    for (const noted of this.noted.values()) this.statements.add.run({ ...noted })
    this.forget()
  }

  forget(): void {
    this.noted.clear()
  }
}

const keyOf = ({ accountRow, day, measure, name }: Omit<Noted, 'count'>) => `${accountRow} ${day} ${measure} ${name}`

function prepareStatements({ db }: Connection) {
  const value = sql.placeholder
  const split = and(
    eq(dayFigure.accountRow, value('accountRow')),
    eq(dayFigure.day, value('day')),
    eq(dayFigure.measure, value('measure')),
  )
  return {
    add: db
      .insert(dayFigure)
      .values({
        accountRow: value('accountRow'),
        day: value('day'),
        measure: value('measure'),
        name: value('name'),
        count: value('count'),
      })
      .onConflictDoUpdate({
        target: [dayFigure.accountRow, dayFigure.day, dayFigure.measure, dayFigure.name],
        set: { count: sql`${dayFigure.count} + excluded.count` },
      })
      .prepare(),
    named: db
      .select({ count: dayFigure.count })
      .from(dayFigure)
      .where(and(split, eq(dayFigure.name, value('name'))))
      .prepare(),
    lastName: db
      .select({ count: dayFigure.count })
      .from(dayFigure)
      .where(and(split, sql`${dayFigure.name} NOT IN (SELECT value FROM json_each(${value('uncounted')}))`))
      .limit(1)
      .offset(value('before'))
      .prepare(),
    noteVisitor: db
      .insert(visitorDay)
      .values({ deviceRow: value('deviceRow'), day: value('day') })
      .onConflictDoNothing()
      .returning({ day: visitorDay.day })
      .prepare(),
  }
}
