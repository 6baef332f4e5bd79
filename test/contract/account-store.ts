import { describe, expect, test } from 'bun:test'
import type { Form } from '../../src/account/form.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { account as sampleAccount } from '../cli/sample-account.ts'
import { HeldClock } from './budget-store.ts'
import { anAsset, hashOf, type OpenedAccounts, publication, publish } from './opened-accounts.ts'

const oldKey = hashOf('old key')
const newKey = hashOf('new key')

/** What the port promises, for every implementation. */
export function accountStoreContract(name: string, open: (clock: Clock) => Promise<OpenedAccounts>): void {
  const opened = (): Promise<OpenedAccounts> => open(new HeldClock(5000))

  describe(name, () => {
    test('an empty box has no accounts', async () => {
      await using box = await opened()
      const { accounts } = box.here
      expect([await accounts.list(), await accounts.find('acme'), await accounts.holderOf('go.acme.test')]).toEqual([
        [],
        null,
        null,
      ])
    })

    test('an account is found by its handle, as it was published', async () => {
      await using box = await opened()
      const [form] = sampleAccount().forms
      const forms: Form[] = form === undefined ? [] : [{ ...form, version: 1 }]
      const published = publication('acme', { forms, trackingKeyFingerprint: oldKey })
      const id = await publish(box.here, published)
      expect(await box.here.accounts.find('acme')).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        handle: 'acme',
        settings: published.settings ?? sampleAccount().settings,
        forms,
        destinations: [],
        trackingKeys: [{ fingerprint: oldKey, validUntil: null }],
      })
      expect((await box.elsewhere.accounts.find('acme'))?.id).toBe(id)
    })

    test.each(['Acme', 'acm', 'acme ', ''])('no account is found by %p', async (handle) => {
      await using box = await opened()
      await publish(box.here, publication('acme'))
      expect(await box.here.accounts.find(handle)).toBeNull()
    })

    test('accounts are listed in order of their handles', async () => {
      await using box = await opened()
      for (const handle of ['m', 'z', 'a-b', 'a']) await publish(box.here, publication(handle))
      expect((await box.here.accounts.list()).map(({ handle }) => handle)).toEqual(['a', 'a-b', 'm', 'z'])
    })

    test('a domain names its holder', async () => {
      await using box = await opened()
      await publish(box.here, publication('acme'))
      await publish(box.here, publication('bold'))
      expect(await box.elsewhere.accounts.holderOf('go.bold.test')).toBe('bold')
    })

    describe('the revision', () => {
      const changes: [what: string, change: (box: OpenedAccounts, id: string) => Promise<unknown>][] = [
        ['a publish', (box) => publish(box.here, publication('acme', { assets: [anAsset('one', 'one')] }))],
        ['another account', (box) => publish(box.here, publication('bold'))],
        ['a new tracking key', ({ here }, id) => here.accounts.addTrackingKey(id, newKey, null)],
        ['revoked tracking keys', ({ here }, id) => here.accounts.revokeTrackingKeys(id)],
        ['a removal', ({ here }, id) => here.accounts.remove(id)],
      ]

      test.each(changes)('is another one, everywhere, after %s', async (_what, change) => {
        await using box = await opened()
        const id = await publish(box.here, publication('acme', { trackingKeyFingerprint: oldKey }))
        const before = await box.elsewhere.accounts.revision()
        await change(box, id)
        expect(await box.elsewhere.accounts.revision()).not.toBe(before)
      })

      test('is the same when nothing has changed', async () => {
        await using box = await opened()
        const id = await publish(box.here, publication('acme'))
        const before = await box.here.accounts.revision()
        await box.here.accounts.find('acme')
        await box.here.accounts.countsOf(id)
        await box.capture(id)
        expect(await box.here.accounts.revision()).toBe(before)
      })

      test('of the last change is another one for the changed account alone', async () => {
        await using box = await opened()
        const id = await publish(box.here, publication('acme'))
        await publish(box.here, publication('bold'))
        const marks = async () =>
          Object.fromEntries((await box.here.accounts.list()).map(({ handle, changedAt }) => [handle, changedAt]))
        const before = await marks()
        await box.here.accounts.addTrackingKey(id, newKey, null)
        const after = await marks()
        expect(after.acme).not.toBe(before.acme)
        expect(after.bold).toBe(before.bold ?? 'none')
      })
    })

    describe('tracking keys', () => {
      const keysOf = async ({ elsewhere }: OpenedAccounts) => (await elsewhere.accounts.find('acme'))?.trackingKeys

      test('that are replaced at once keep their record without the fingerprint', async () => {
        await using box = await opened()
        const id = await publish(box.here, publication('acme', { trackingKeyFingerprint: oldKey }))
        await box.here.accounts.addTrackingKey(id, newKey, null)
        expect(await keysOf(box)).toEqual([
          { fingerprint: null, validUntil: null },
          { fingerprint: newKey, validUntil: null },
        ])
      })

      test('that are replaced with an overlap match until its end', async () => {
        await using box = await opened()
        const id = await publish(box.here, publication('acme', { trackingKeyFingerprint: oldKey }))
        await box.here.accounts.addTrackingKey(id, newKey, 9000)
        expect(await keysOf(box)).toEqual([
          { fingerprint: oldKey, validUntil: 9000 },
          { fingerprint: newKey, validUntil: null },
        ])
      })

      test('that are revoked keep their records, and are counted', async () => {
        await using box = await opened()
        const id = await publish(box.here, publication('acme', { trackingKeyFingerprint: oldKey }))
        await box.here.accounts.addTrackingKey(id, newKey, 9000)
        expect(await box.here.accounts.revokeTrackingKeys(id)).toBe(2)
        expect(await box.here.accounts.revokeTrackingKeys(id)).toBe(0)
        expect((await keysOf(box))?.map(({ fingerprint }) => fingerprint)).toEqual([null, null])
      })

      test('of another account stay', async () => {
        await using box = await opened()
        const bold = await publish(box.here, publication('bold', { trackingKeyFingerprint: newKey }))
        await publish(box.here, publication('acme', { trackingKeyFingerprint: oldKey }))
        await box.here.accounts.revokeTrackingKeys(bold)
        expect(await keysOf(box)).toEqual([{ fingerprint: oldKey, validUntil: null }])
      })
    })

    describe('a removed account', () => {
      test('was counted before: its pages, images, files, assets, forms and records', async () => {
        await using box = await opened()
        const [form] = sampleAccount().forms
        const id = await publish(
          box.here,
          publication('acme', {
            forms: form === undefined ? [] : [form],
            assets: [
              anAsset('one', 'one'),
              anAsset('two', 'two', { state: 'preview' }),
              anAsset('a.png', 'a', { kind: 'image' }),
              anAsset('a.pdf', 'a', { kind: 'file' }),
              anAsset('a.css', 'a', { kind: 'asset' }),
            ],
          }),
        )
        await box.capture(id)
        await box.capture(id)
        expect(await box.elsewhere.accounts.countsOf(id)).toEqual({
          pages: 2,
          images: 1,
          files: 1,
          assets: 1,
          forms: 1,
          records: 2,
        })
      })

      test('is gone with everything, and the other one is as it was', async () => {
        await using box = await opened()
        const { accounts } = box.here
        const id = await publish(box.here, publication('acme', { assets: [anAsset('one', 'one')] }))
        const bold = await publish(box.here, publication('bold', { assets: [anAsset('one', 'bold')] }))
        await accounts.remove(id)
        expect([await accounts.find('acme'), await accounts.holderOf('go.acme.test')]).toEqual([null, null])
        expect((await accounts.list()).map(({ handle }) => handle)).toEqual(['bold'])
        expect(await box.here.catalogue.assets(id)).toEqual([])
        expect(await box.elsewhere.catalogue.assets(bold)).toHaveLength(1)
      })

      test('that is made anew is another one, and has nothing of the one before', async () => {
        await using box = await opened()
        const before = await publish(box.here, publication('acme', { trackingKeyFingerprint: oldKey }))
        await box.capture(before)
        await box.here.accounts.remove(before)
        const after = await publish(box.here, publication('acme'))
        expect(after).not.toBe(before)
        expect(await box.here.accounts.countsOf(after)).toMatchObject({ records: 0 })
        expect((await box.here.accounts.find('acme'))?.trackingKeys).toEqual([])
      })

      test('may be removed again', async () => {
        await using box = await opened()
        const id = await publish(box.here, publication('acme'))
        await box.here.accounts.remove(id)
        await box.here.accounts.remove(id)
        expect(await box.here.accounts.list()).toEqual([])
      })
    })
  })
}
