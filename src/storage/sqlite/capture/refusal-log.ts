import { and, desc, eq, gte, sum } from 'drizzle-orm'
import type { ChallengeStore } from '../../../capture/challenge-store.ts'
import type { RefusalCount, RefusalLog, RefusalTotal } from '../../../capture/refusal-log.ts'
import type { GroupCommit } from '../commit/group-commit.ts'
import type { Connection } from '../database/connection.ts'
import { account } from '../schema/account-schema.ts'
import { refusalCount } from '../schema/capture-schema.ts'

const msPerHour = 60 * 60 * 1000

export class SqliteRefusalLog implements RefusalLog {
  constructor(
    private readonly reader: Connection,
    private readonly groupCommit: GroupCommit,
  ) {}

  add(counts: RefusalCount[]): Promise<void> {
    return this.groupCommit.addBeside({ refusals: counts })
  }

  async read(accountId: string, since: number): Promise<RefusalTotal[]> {
    const total = sum(refusalCount.count).mapWith(Number)
    return this.reader.db
      .select({ endpoint: refusalCount.endpoint, check: refusalCount.check, origin: refusalCount.origin, count: total })
      .from(refusalCount)
      .innerJoin(account, eq(account.row, refusalCount.accountRow))
      .where(and(eq(account.id, accountId), gte(refusalCount.hour, Math.floor(since / msPerHour))))
      .groupBy(refusalCount.endpoint, refusalCount.check, refusalCount.origin)
      .orderBy(desc(total))
      .all() as RefusalTotal[]
  }
}

/** Used challenges go to disk with the group commit: each is good once, even across restarts. */
export class SqliteChallengeStore implements ChallengeStore {
  constructor(private readonly groupCommit: GroupCommit) {}

  spend(accountId: string, challenge: string, expiresAt: number): Promise<boolean> {
    return this.groupCommit.spend({ accountId, challenge, expiresAt })
  }
}
