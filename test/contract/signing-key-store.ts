import { describe, expect, test } from 'bun:test'
import { type SigningKeyStore, signingPurposes } from '../../src/account/signing-key.ts'
import { HeldClock } from './budget-store.ts'

const dayMs = 86_400_000

/** What the port promises, for every implementation. `open` opens the store of one box, the same one each time. */
export function signingKeyStoreContract(
  name: string,
  makeBox: (clock: HeldClock) => { open: () => Promise<SigningKeyStore>; revision: () => Promise<string> },
): void {
  describe(name, () => {
    const aBox = () => {
      const clock = new HeldClock(Date.UTC(2026, 10, 20))
      return { clock, ...makeBox(clock) }
    }

    test.each(signingPurposes)('a new box has a current %s key of 32 bytes', async (purpose) => {
      const { open } = aBox()
      const key = (await (await open()).read()).current(purpose)
      expect({ purpose: key.purpose, bytes: key.secret.length, until: key.verifiesUntil }).toEqual({
        purpose,
        bytes: 32,
        until: null,
      })
    })

    test('the keys are the same when the box is opened again', async () => {
      const { open } = aBox()
      const before = await (await open()).read()
      const after = await (await open()).read()
      for (const purpose of signingPurposes) {
        expect(after.current(purpose).id).toBe(before.current(purpose).id)
        expect(Buffer.from(after.current(purpose).secret)).toEqual(Buffer.from(before.current(purpose).secret))
      }
    })

    test('a rotated key is another one, and the current one from then on', async () => {
      const { open, clock } = aBox()
      const store = await open()
      const before = (await store.read()).current('click')
      clock.advance(1000)
      const made = await store.rotate('click')
      expect((await store.read()).current('click').id).toBe(made.id)
      expect(made.id).not.toBe(before.id)
      expect(Buffer.from(made.secret)).not.toEqual(Buffer.from(before.secret))
    })

    test('a rotation leaves the keys of other purposes as they are', async () => {
      const { open } = aBox()
      const store = await open()
      const before = await store.read()
      await store.rotate('click')
      const after = await store.read()
      expect(after.current('cookie').id).toBe(before.current('cookie').id)
      expect(after.current('preview').id).toBe(before.current('preview').id)
    })

    test.each(['click', 'cookie'] as const)(
      'a replaced %s key verifies for 400 days, and then no more',
      async (purpose) => {
        const { open, clock } = aBox()
        const store = await open()
        const { id } = (await store.read()).current(purpose)
        const rotatedAt = clock.now()
        await store.rotate(purpose)
        const keys = await store.read()
        expect(keys.verifying(purpose, id, { accountId: 'account-a', now: rotatedAt + 400 * dayMs - 1 })?.id).toBe(id)
        expect(keys.verifying(purpose, id, { accountId: 'account-a', now: rotatedAt + 400 * dayMs })).toBeNull()
      },
    )

    test('a replaced preview key verifies no more at once', async () => {
      const { open, clock } = aBox()
      const store = await open()
      const { id } = (await store.read()).current('preview')
      await store.rotate('preview')
      expect((await store.read()).verifying('preview', id, { accountId: 'account-a', now: clock.now() })).toBeNull()
    })

    test('a name key that is replaced is erased, since each service makes its own', async () => {
      const { open, clock } = aBox()
      const store = await open()
      const before = (await store.read()).current('name')
      await store.rotate('name')
      const keys = await store.read()
      expect(keys.current('name').id).not.toBe(before.id)
      expect(keys.allVerifying('name', { accountId: 'account-a', now: clock.now() })).toHaveLength(1)
      // Not even at an instant at which a replaced key of another purpose still verified.
      expect(keys.verifying('name', before.id, { accountId: 'account-a', now: before.createdAt - 1 })).toBeNull()
    })

    test('a second rotation does not lengthen the life of the first key', async () => {
      const { open, clock } = aBox()
      const store = await open()
      const { id } = (await store.read()).current('click')
      const rotatedAt = clock.now()
      await store.rotate('click')
      clock.advance(100 * dayMs)
      await store.rotate('click')
      expect(
        (await store.read()).verifying('click', id, { accountId: 'account-a', now: rotatedAt + 400 * dayMs }),
      ).toBeNull()
    })

    test('every rotation changes the revision that a server watches', async () => {
      const { open, revision } = aBox()
      const store = await open()
      const before = await revision()
      await store.rotate('cookie')
      expect(await revision()).not.toBe(before)
    })
  })
}
