import { aroundQuery, judgeAgain } from '../../../processing/clicks/judge-again.ts'
import type { EntryKey } from '../../../processing/entry-key.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import type { Folding } from '../processing/folding.ts'
import { correct } from './correct.ts'
import type { WorkTurn } from './work-turn.ts'

/** Clicks judged in one transaction: each may have to be compared with a hundred others. */
const clicksPerPart = 4

interface StaleBurst {
  sequence: number
  accountRow: number
  group: string
  /** Epoch milliseconds. */
  at: number
}

/** Judges clicks around erased ones again, by what is left of their burst. */
export class StaleBursts {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    private readonly connection: Connection,
    private readonly folding: Folding,
    private readonly turn: WorkTurn,
  ) {
    this.statements = prepareStatements(connection)
  }

  /** Judges the clicks around the first erased one; `null`: none is stale. */
  next(): { work: Generator<void, void>; giveUp: () => void } | null {
    const stale = this.statements.first.get()
    return stale && { work: this.judge(stale), giveUp: () => this.statements.end.run(stale.sequence) }
  }

  private *judge({ sequence, accountRow, group, at }: StaleBurst): Generator<void, void> {
    const fold = this.folding.begin()
    const account = this.folding.account(accountRow)
    const query = account && aroundQuery({ accountId: account.id, group, at }, fold.state.verdicts)
    const around = query === null ? [] : fold.state.clicks.around(query).map(({ key }) => key)
    for (let from = 0; from < around.length; from += clicksPerPart) {
      writeTransaction(this.connection, () => this.judgePart(accountRow, around.slice(from, from + clicksPerPart)))
      if (this.turn.isOver()) yield
    }
    this.statements.end.run(sequence)
  }

  private judgePart(accountRow: number, keys: readonly EntryKey[]): void {
    correct(this.folding, accountRow, ({ accountId, state }) => {
      const clicks = state.clicks.meet(this.folding.store.clicks.listOf(keys))
      for (const click of clicks) judgeAgain(accountId, click, state)
    })
  }
}

function prepareStatements({ raw }: Connection) {
  return {
    first: raw.query<StaleBurst, []>(
      `SELECT sequence, account_row AS accountRow, burst_group AS "group", received_at AS at FROM stale_burst LIMIT 1`,
    ),
    end: raw.query<null, [number]>('DELETE FROM stale_burst WHERE sequence = ?'),
  }
}
