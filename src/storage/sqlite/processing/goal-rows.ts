import type { Database } from 'bun:sqlite'
import type { DeviceVisit, Goals } from '../../../processing/goals/goals.ts'
import { forEachKey, keyPart, listsOf, manyKeys, position } from '../lookup/many-keys.ts'
import { BulkInsert } from './bulk-insert.ts'
import { isCountedInVisit } from './fact-schema.ts'
import type { RowOfAccount } from './processed-accounts.ts'
import type { StoredKeys } from './stored-keys.ts'

/** The table `goal_entry`. */
export class GoalRows {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    raw: Database,
    private readonly rowOfAccount: RowOfAccount,
    private readonly devices: Pick<StoredKeys, 'rowOf'>,
  ) {
    this.statements = prepareStatements(raw)
  }

  doneInVisit(asked: DeviceVisit[]): string[][] {
    const keys = asked.map(({ device, visitAt }) => [device, visitAt])
    const found = listsOf(asked, this.statements.done(keys), ({ counted }) => JSON.parse(counted) as string[])
    return found.map((lists) => lists.flat())
  }

  keep({ added }: Pick<Goals, 'added'>): void {
    this.statements.add.run(
      added.map(({ key, accountId, device, day, targets, visitAt, counted }) => [
        key,
        this.rowOfAccount(accountId),
        device === null ? null : this.devices.rowOf(device),
        day,
        JSON.stringify(targets),
        visitAt,
        JSON.stringify(counted),
      ]),
    )
  }
}

/** Entries that counted nothing are left out: a visit has no end while something comes, and each step would read all of them. */
export const doneInVisitQuery = `SELECT ${position}, counted ${forEachKey('goal_entry')}
  ON device_row = ${keyPart(0)} AND visit_at = ${keyPart(1)} AND ${isCountedInVisit}`

function prepareStatements(raw: Database) {
  return {
    done: manyKeys<{ position: number; counted: string }>(raw, doneInVisitQuery),
    add: new BulkInsert(raw, 'goal_entry (sequence, account_row, device_row, day, targets, visit_at, counted)'),
  }
}
