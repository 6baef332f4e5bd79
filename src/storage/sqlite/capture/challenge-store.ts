import type { ChallengeStore } from '../../../capture/challenge-store.ts'
import type { GroupCommit } from '../commit/group-commit.ts'

/** Used-up challenges go to disk with the group commit: single use holds across restarts. */
export class SqliteChallengeStore implements ChallengeStore {
  constructor(private readonly groupCommit: GroupCommit) {}

  spend(accountId: string, challenge: string, expiresAt: number): Promise<boolean> {
    return this.groupCommit.spend({ accountId, challenge, expiresAt })
  }
}
