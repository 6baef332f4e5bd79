import { describe, expect, test } from 'bun:test'
import type { ChallengeStore } from '../../src/capture/challenge-store.ts'

/** A new, empty store on a box with two accounts. */
export interface OpenedChallengeStore extends AsyncDisposable {
  store: ChallengeStore
  /** The same store after a restart. */
  restarted(): Promise<ChallengeStore>
  accountIds: readonly [string, string]
}

const inAMinute = () => Date.now() + 60_000

/** What the port promises, for every implementation. */
export function challengeStoreContract(name: string, open: () => Promise<OpenedChallengeStore>): void {
  describe(name, () => {
    test('a challenge is spent once', async () => {
      await using box = await open()
      const [accountId] = box.accountIds
      const expiresAt = inAMinute()
      const answers = []
      for (let i = 0; i < 3; i++) answers.push(await box.store.spend(accountId, 'challenge', expiresAt))
      expect(answers).toEqual([true, false, false])
    })

    test('a challenge is spent once, however many ask at the same time', async () => {
      await using box = await open()
      const [accountId] = box.accountIds
      const expiresAt = inAMinute()
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => box.store.spend(accountId, 'challenge', expiresAt)),
      )
      expect(answers.filter((unspent) => unspent)).toHaveLength(1)
    })

    test('a spent challenge stays spent over a restart', async () => {
      await using box = await open()
      const [accountId] = box.accountIds
      const expiresAt = inAMinute()
      await box.store.spend(accountId, 'challenge', expiresAt)
      const restarted = await box.restarted()
      expect(await restarted.spend(accountId, 'challenge', expiresAt)).toBe(false)
      expect(await restarted.spend(accountId, 'another', expiresAt)).toBe(true)
    })

    test('one account’s challenge is not another’s', async () => {
      await using box = await open()
      const [ours, theirs] = box.accountIds
      const expiresAt = inAMinute()
      expect(await box.store.spend(ours, 'challenge', expiresAt)).toBe(true)
      expect(await box.store.spend(theirs, 'challenge', expiresAt)).toBe(true)
    })

    test('spending others forgets none that has not expired', async () => {
      await using box = await open()
      const [accountId] = box.accountIds
      const expiresAt = inAMinute()
      await box.store.spend(accountId, 'kept', expiresAt)
      await box.store.spend(accountId, 'expired', Date.now() - 1)
      await box.store.spend(accountId, 'other', expiresAt)
      expect(await box.store.spend(accountId, 'kept', expiresAt)).toBe(false)
    })

    test('nothing is spent for an account that is not there', async () => {
      await using box = await open()
      expect(await box.store.spend('nobody', 'challenge', inAMinute())).toBe(false)
    })
  })
}
