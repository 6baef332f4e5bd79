import type { Database } from 'bun:sqlite'
import type { DeviceVisit, Goals } from '../../../processing/goals/goals.ts'
import { storedJson } from '../database/damage.ts'
import { isCountedInVisit } from '../schema/fact-schema.ts'
import { BulkInsert, type StoredKeys } from './bulk-insert.ts'
import type { RowOfAccount } from './processed-accounts.ts'

export class GoalRows {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    raw: Database,
    private readonly rowOfAccount: RowOfAccount,
    private readonly devices: Pick<StoredKeys, 'rowOf'>,
  ) {
    this.statements = prepareStatements(raw)
  }

  doneInVisit({ device, visitAt }: DeviceVisit): string[] {
    return this.statements.done.all(device, visitAt).flatMap(({ counted }) => storedJson<string[]>(counted))
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
export const doneInVisitQuery = `SELECT counted FROM goal_entry WHERE device_row = ? AND visit_at = ? AND ${isCountedInVisit}`

function prepareStatements(raw: Database) {
  return {
    done: raw.query<{ counted: string }, [number, number]>(doneInVisitQuery),
    add: new BulkInsert(raw, 'goal_entry (sequence, account_row, device_row, day, targets, visit_at, counted)'),
  }
}
