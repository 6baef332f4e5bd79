import type { MissingCount, MissingLog, MissingTotal } from '../../../capture/missing-log.ts'
import type { GroupCommit } from '../commit/group-commit.ts'
import type { Connection } from '../database/connection.ts'
import { storedAccountRow } from '../lookup/account-row.ts'
import { missingWithin } from '../report/missing-counts.ts'

export class SqliteMissingLog implements MissingLog {
  constructor(
    private readonly reader: Pick<Connection, 'raw'>,
    private readonly groupCommit: GroupCommit,
  ) {}

  add(counts: MissingCount[]): Promise<void> {
    return this.groupCommit.addBeside({ missing: counts })
  }

  async read(accountId: string, fromDay: number, totalsMax: number): Promise<MissingTotal[]> {
    const accountRow = storedAccountRow(this.reader, accountId)
    if (accountRow === null) return []
    return missingWithin(this.reader, [accountRow, fromDay, Number.MAX_SAFE_INTEGER], totalsMax)
  }
}
