import type { EntryKey } from '../../../processing/entry-key.ts'
import { nameAgain } from '../../../processing/submissions/change-origin.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import type { Folding } from '../processing/folding.ts'
import { isOfOthers } from '../schema/fact-schema.ts'
import { correct } from './correct.ts'
import type { WorkTurn } from './work-turn.ts'

/** Leads named in one transaction: a millisecond or two. */
const leadsPerPart = 25

interface StaleDay {
  mark: number
  accountRow: number
  day: number
}

/** Leads that count as one of the others, on days on which an erasure left names free: the first get them. */
export class StaleDays {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    private readonly connection: Connection,
    private readonly folding: Folding,
    private readonly turn: WorkTurn,
  ) {
    this.statements = prepareStatements(connection)
  }

  /** Names the leads of the first such day, one part each turn; `null`: none is stale. */
  next(): { work: Generator<void, void>; giveUp: () => void } | null {
    const stale = this.statements.first.get()
    return stale && { work: this.name(stale), giveUp: () => this.statements.end.run(stale.mark) }
  }

  private *name({ mark, accountRow, day }: StaleDay): Generator<void, void> {
    for (let after = 0; ; ) {
      const leads = this.statements.others.all(accountRow, day, after)
      const last = leads.at(-1)
      if (last === undefined) break
      writeTransaction(this.connection, () => this.namePart(accountRow, leads))
      after = last.key
      if (this.turn.isOver()) yield
    }
    this.statements.end.run(mark)
  }

  private namePart(accountRow: number, leads: readonly { key: EntryKey }[]): void {
    correct(this.folding, accountRow, ({ accountId, state }) => {
      for (const { key } of leads) {
        const submission = this.folding.store.submissions.one(key)
        if (submission !== null) nameAgain(accountId, submission, state)
      }
    })
  }
}

function prepareStatements({ raw }: Connection) {
  return {
    first: raw.query<StaleDay, []>('SELECT mark, account_row AS accountRow, day FROM stale_day ORDER BY mark LIMIT 1'),
    others: raw.query<{ key: EntryKey }, [number, number, number]>(
      `SELECT sequence AS key FROM submission_fact WHERE account_row = ? AND lead_day = ? AND ${isOfOthers} AND sequence > ?
       ORDER BY sequence LIMIT ${leadsPerPart}`,
    ),
    end: raw.query<null, [number]>('DELETE FROM stale_day WHERE mark = ?'),
  }
}
