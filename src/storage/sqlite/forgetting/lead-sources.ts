import type { Touch } from '../../../processing/attribution/touch.ts'
import { countedSource } from '../../../processing/submissions/submission-origin.ts'
import type { Connection } from '../connection.ts'
import type { EntryUnderWay } from '../processing/entry-under-way.ts'
import { SqliteFigureState } from '../processing/figure-state.ts'

/** What a lead that an erasure changes is counted under: what one that comes in would be. Call in a transaction. */
export class LeadSources {
  private readonly underWay: EntryUnderWay = { sequence: 0, accountRow: 0, kind: 0, receivedAt: 0 }
  private readonly figures: SqliteFigureState

  constructor(connection: Connection) {
    this.figures = new SqliteFigureState(connection, this.underWay)
  }

  of(last: Touch | null, { accountRow, day }: { accountRow: number; day: number }): string {
    this.underWay.accountRow = accountRow
    return countedSource({ first: null, last, page: null }, { accountId: '', day }, { figures: this.figures })
  }
}
