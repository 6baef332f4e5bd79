import type { ChallengeStore } from '../../../src/capture/challenge-store.ts'

/** Remembers what was spent as long as the test runs. */
export function challengesInMemory(): ChallengeStore & { spent: string[] } {
  const spent: string[] = []
  return {
    spent,
    async spend(accountId, challenge, expiresAt) {
      const name = `${accountId} ${challenge} ${expiresAt}`
      const isFirst = !spent.includes(name)
      spent.push(name)
      return isFirst
    },
  }
}
