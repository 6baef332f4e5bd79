import type { ChallengeStore } from '../../../capture/challenge-store.ts'
import type { GroupCommit } from '../commit/group-commit.ts'

/** Used challenges go to disk with the group commit: each is good once, even across restarts. */
export class SqliteChallengeStore implements ChallengeStore {
  constructor(private readonly groupCommit: GroupCommit) {}

  spend(accountId: string, challenge: string, expiresAt: number): Promise<boolean> {
    return this.groupCommit.spend({ accountId, challenge, expiresAt })
  }
}
