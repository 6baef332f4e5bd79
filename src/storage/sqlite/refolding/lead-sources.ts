import type { Touch } from '../../../processing/attribution/touch.ts'
import { Figures } from '../../../processing/figures/figures.ts'
import { countedSource } from '../../../processing/submissions/submission-origin.ts'
import type { Connection } from '../database/connection.ts'
import { SqliteFoldStore } from '../processing/fold-store.ts'

/** The source under which a lead counts that an erasure changes: the same as for a new one. Call in a transaction. */
export class LeadSources {
  private readonly store: SqliteFoldStore

  constructor(connection: Connection) {
    // An erasure knows its account only by row.
    this.store = new SqliteFoldStore(connection, Number)
  }

  of(last: Touch | null, { accountRow, day }: { accountRow: number; day: number }): string {
    const figures = new Figures(this.store.load)
    const source = countedSource({ first: null, last, page: null }, { accountId: String(accountRow), day }, { figures })
    this.store.figures.keep(figures)
    return source
  }
}
