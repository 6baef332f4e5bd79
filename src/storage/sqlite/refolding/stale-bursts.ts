import type { StoredClick } from '../../../processing/clicks/clicks.ts'
import { aroundQuery, judgeAgain } from '../../../processing/clicks/judging.ts'
import type { Connection } from '../database/connection.ts'
import type { Correction, Folding } from '../processing/folding.ts'
import type { StaleKind } from './stale-kind.ts'

interface StaleBurst {
  sequence: number
  accountRow: number
  group: string
  at: number
}

/** Judges clicks around erased ones again, by what is left of their burst. */
export class StaleBursts implements StaleKind<StaleBurst, StoredClick['key']> {
  /** Each may have to be compared with a hundred others. */
  readonly changesPerPart = 4
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    connection: Connection,
    private readonly folding: Folding,
  ) {
    this.statements = prepareStatements(connection)
  }

  next(): StaleBurst | null {
    return this.statements.next.get()
  }

  isMarked({ sequence }: StaleBurst): boolean {
    return this.statements.isMarked.get(sequence) !== null
  }

  *changes({ accountRow, group, at }: StaleBurst) {
    const { state } = this.folding.begin()
    const account = this.folding.account(accountRow)
    if (account === null) return
    const around = state.clicks.around(aroundQuery({ accountId: account.id, group, at }, state.verdicts))
    for (const { key } of around) yield key
  }

  write(key: StoredClick['key'], _: StaleBurst, { accountId, state }: Correction): void {
    for (const click of state.clicks.meet(this.folding.store.clicks.listOf([key]))) judgeAgain(accountId, click, state)
  }

  settle({ sequence }: StaleBurst): void {
    this.statements.end.run(sequence)
  }

  giveUp(key: StaleBurst): void {
    this.settle(key)
  }
}

function prepareStatements({ raw }: Connection) {
  return {
    next: raw.query<StaleBurst, []>(
      `SELECT sequence, account_row AS accountRow, burst_group AS "group", received_at AS at FROM stale_burst LIMIT 1`,
    ),
    isMarked: raw.query<object, [number]>('SELECT 1 FROM stale_burst WHERE sequence = ?'),
    end: raw.query<null, [number]>('DELETE FROM stale_burst WHERE sequence = ?'),
  }
}
