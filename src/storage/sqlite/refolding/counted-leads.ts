import type { Touch } from '../../../processing/attribution/touch.ts'
import { Figures } from '../../../processing/figures/figures.ts'
import type { LeadNames } from '../../../processing/submissions/submission-fact.ts'
import { countedNames } from '../../../processing/submissions/submission-origin.ts'
import type { Connection } from '../database/connection.ts'
import { SqliteFoldStore } from '../processing/fold-store.ts'

/** What a lead that an erasure changes is counted under: what one that comes in would be. Call in a transaction. */
export class CountedLeads {
  private readonly store: SqliteFoldStore

  constructor(connection: Connection) {
    // An erasure knows its account by the row alone.
    this.store = new SqliteFoldStore(connection, Number)
  }

  of(last: Touch | null, { accountRow, day }: { accountRow: number; day: number }): LeadNames {
    const figures = new Figures(this.store.load)
    const names = countedNames({ last }, { accountId: String(accountRow), day }, { figures })
    this.store.figures.keep(figures)
    return names
  }
}
