import { describe, expect, spyOn, test } from 'bun:test'
import type { Form } from '../../src/account/form.ts'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { AtWork, OperatorError } from '../../src/lib/operator-error.ts'
import { account as sampleAccount } from '../cli/sample-account.ts'
import { HeldClock } from './budget-store.ts'
import {
  type AccountStores,
  anAsset,
  contents,
  hashOf,
  type OpenedAccounts,
  publication,
  publish,
  publishAssets,
} from './opened-accounts.ts'
import { released } from './released.ts'

const many = (content: string) => Array.from({ length: 250 }, (_, i) => anAsset(`p${i}`, `${content} ${i}`))

const hourMs = 60 * 60 * 1000

/** What the site store and the catalogue promise together, for every implementation. */
export function siteStoreContract(name: string, open: (clock: Clock) => Promise<OpenedAccounts>): void {
  const opened = (): Promise<OpenedAccounts> => open(new HeldClock(5000))

  describe(name, () => {
    test('what was published is in the catalogue, by kind and name', async () => {
      await using box = await opened()
      const assets = [
        anAsset('two', 'two', { state: 'preview' }),
        anAsset('one', 'one'),
        anAsset('a.png', 'a', { kind: 'image' }),
        anAsset('b/a.pdf', 'b', { kind: 'file' }),
      ]
      const id = await publish(box.here, publication('acme', { assets }))
      const listed = await box.elsewhere.catalogue.assets(id)
      expect(listed.map((asset) => [asset.kind, asset.name, asset.current.state])).toEqual([
        ['file', 'b/a.pdf', 'live'],
        ['image', 'a.png', 'live'],
        ['page', 'one', 'live'],
        ['page', 'two', 'preview'],
      ])
      expect(listed[2]).toEqual({
        id: expect.stringMatching(/^[a-z0-9]{8}$/),
        kind: 'page',
        name: 'one',
        current: {
          number: 1,
          sha256: hashOf('one'),
          byteCount: 3,
          variants: [],
          state: 'live',
          liveFrom: null,
          liveUntil: null,
          publishedAt: 1000,
          publishedBy: 'apply',
        },
      })
    })

    test('the times of a page are kept with each of its versions', async () => {
      await using box = await opened()
      const times = { liveFrom: 1_796_112_000_000, liveUntil: null }
      const id = await publish(box.here, publication('acme', { assets: [anAsset('one', 'one', { times })] }))
      await publishAssets(box.here, 'acme', [anAsset('one', 'one', { times: { ...times, liveUntil: 9 } })])
      const [page] = await box.elsewhere.catalogue.assets(id)
      expect(page?.current).toMatchObject({ ...times, liveUntil: 9 })
      expect(await box.elsewhere.catalogue.versions(page?.id ?? '')).toMatchObject([{ liveUntil: 9 }, times])
    })

    describe('while a publish is under way', () => {
      test('a new account is nowhere, and then there whole', async () => {
        await using box = await opened()
        let nowMs = 0
        // Each asset takes a millisecond, so that no machine is fast enough to stage them all in one step.
        using _clock = spyOn(systemClock, 'monotonicMs').mockImplementation(() => nowMs++)
        const seen: Promise<unknown>[] = []
        const look = ({ accounts }: AccountStores) =>
          Promise.all([accounts.find('acme'), accounts.list(), accounts.holderOf('go.acme.test')])
        await box.here.sites.publish(publication('acme', { assets: many('new') }), () => {
          seen.push(look(box.here), look(box.elsewhere))
        })
        expect(seen.length).toBeGreaterThan(2)
        for (const found of await Promise.all(seen)) expect(found).toEqual([null, [], null])
        const id = (await box.elsewhere.accounts.find('acme'))?.id ?? ''
        expect(await box.elsewhere.catalogue.assets(id)).toHaveLength(250)
      })

      test('everybody sees the state before, and then the one after', async () => {
        await using box = await opened()
        const id = await publish(box.here, publication('acme', { assets: many('before') }))
        const before = await box.elsewhere.catalogue.assets(id)
        const revision = await box.elsewhere.accounts.revision()
        const seen: Promise<unknown>[] = []
        const update = publication('acme', { settings: null, assets: many('after') })
        await box.here.sites.publish(update, () => {
          seen.push(box.elsewhere.catalogue.assets(id), box.here.catalogue.assets(id))
        })
        for (const found of await Promise.all(seen)) expect(found).toEqual(before)
        expect(new Set(Object.values(contents(await box.elsewhere.catalogue.assets(id))))).toEqual(
          new Set(many('after').map(({ version }) => version?.sha256 ?? '')),
        )
        expect(await box.elsewhere.accounts.revision()).not.toBe(revision)
      })

      test('others write between its steps', async () => {
        await using box = await opened()
        const bold = await publish(box.here, publication('bold'))
        const writes: Promise<void>[] = []
        await box.here.sites.publish(publication('acme', { assets: many('new') }), () => {
          writes.push(box.elsewhere.accounts.addTrackingKey(bold, hashOf(`key ${writes.length}`), null))
        })
        await Promise.all(writes)
        expect((await box.here.accounts.find('bold'))?.trackingKeys).toHaveLength(writes.length)
      })

      test('nobody else publishes: the error says who does, on the box alone', async () => {
        await using box = await opened()
        await box.here.sites.exclusively('capture apply (acme)', async () => {
          const other = box.elsewhere.sites.exclusively('capture apply (bold)', async () => 'done')
          await expect(other).rejects.toThrow(AtWork)
          await expect(other).rejects.toMatchObject({
            message: expect.not.stringContaining('acme'),
            messageOnBox: expect.stringContaining('capture apply (acme)'),
          })
        })
        expect(await box.elsewhere.sites.exclusively('capture apply (bold)', async () => 'done')).toBe('done')
      })

      test('and fails, others may publish again', async () => {
        await using box = await opened()
        const failing = box.here.sites.exclusively('first', () => Promise.reject(new Error('died')))
        await expect(failing).rejects.toThrow('died')
        expect(await box.elsewhere.sites.exclusively('second', async () => 'done')).toBe('done')
      })
    })

    describe('a publish that dies half-way', () => {
      /** Staged in part, then no more. */
      async function die(stores: AccountStores, handle: string, content: string): Promise<void> {
        const dying = stores.sites.publish(publication(handle, { assets: many(content) }), () => {
          throw new Error('died')
        })
        await expect(dying).rejects.toThrow('died')
      }

      test('leaves everything as it was', async () => {
        await using box = await opened()
        const id = await publish(box.here, publication('acme', { assets: [anAsset('p1', 'before')] }))
        await die(box.here, 'acme', 'dead')
        expect(contents(await box.elsewhere.catalogue.assets(id))).toEqual({ p1: hashOf('before') })
      })

      test('is cleared away by the next one, which shows only its own', async () => {
        await using box = await opened()
        const id = await publish(
          box.here,
          publication('acme', { assets: [anAsset('p1', 'one'), anAsset('p2', 'two')] }),
        )
        await die(box.here, 'acme', 'dead')
        await publishAssets(box.here, 'acme', [anAsset('p2', 'newer')])
        expect(contents(await box.elsewhere.catalogue.assets(id))).toEqual({ p1: hashOf('one'), p2: hashOf('newer') })
        expect(await released(box.here.sites, [hashOf('dead 1')])).toEqual([hashOf('dead 1')])
      })

      test('is cleared away however far it had come', async () => {
        await using box = await opened()
        const staged = (content: string) => Array.from({ length: 600 }, (_, i) => anAsset(`p${i}`, `${content} ${i}`))
        const id = await publish(box.here, publication('acme', { assets: staged('before') }))
        const dying = box.here.sites.publish(publication('acme', { assets: staged('dead') }), (count) => {
          if (count === 600) throw new Error('died')
        })
        await expect(dying).rejects.toThrow('died')
        await publishAssets(box.here, 'acme', [anAsset('p0', 'newer')])
        const shown = contents(await box.elsewhere.catalogue.assets(id))
        expect(Object.keys(shown)).toHaveLength(600)
        expect([shown.p0, shown.p1, shown.p599]).toEqual(['newer', 'before 1', 'before 599'].map(hashOf))
        expect(await released(box.here.sites, [hashOf('dead 599')])).toEqual([hashOf('dead 599')])
      })

      test('of a new account leaves none, and does not stand in the way of the next', async () => {
        await using box = await opened()
        await die(box.here, 'acme', 'dead')
        expect([await box.here.accounts.list(), await box.here.accounts.holderOf('go.acme.test')]).toEqual([[], null])
        const id = await publish(box.here, publication('acme', { assets: [anAsset('one', 'one')] }))
        expect(contents(await box.elsewhere.catalogue.assets(id))).toEqual({ one: hashOf('one') })
      })

      test('has no version', async () => {
        await using box = await opened()
        const id = await publish(box.here, publication('acme', { assets: [anAsset('p1', 'before')] }))
        await die(box.here, 'acme', 'dead')
        const [asset] = await box.here.catalogue.assets(id)
        expect((await box.here.catalogue.versions(asset?.id ?? '')).map(({ sha256 }) => sha256)).toEqual([
          hashOf('before'),
        ])
      })
    })

    describe('domains', () => {
      test('held by another account refuse the publish, which changes nothing', async () => {
        await using box = await opened()
        await publish(box.here, publication('acme'))
        const id = await publish(box.here, publication('bold', { assets: [anAsset('one', 'before')] }))
        const { settings } = publication('bold')
        const greedy = settings && { ...settings, domains: ['go.new.test', 'go.acme.test'] }
        const publishing = publish(
          box.here,
          publication('bold', { settings: greedy, assets: [anAsset('one', 'after')] }),
        )
        await expect(publishing).rejects.toThrow(OperatorError)
        await expect(publishing).rejects.toThrow('acme')
        expect((await box.here.accounts.find('bold'))?.settings.domains).toEqual(['go.bold.test'])
        expect(await box.here.accounts.holderOf('go.new.test')).toBeNull()
        expect(contents(await box.here.catalogue.assets(id))).toEqual({ one: hashOf('before') })
      })

      test('that are given up are free', async () => {
        await using box = await opened()
        await publish(box.here, publication('acme'))
        const { settings } = publication('acme')
        await publish(
          box.here,
          publication('acme', { settings: settings && { ...settings, domains: ['new.acme.test'] } }),
        )
        expect(await box.here.accounts.holderOf('go.acme.test')).toBeNull()
        expect(await box.here.accounts.holderOf('new.acme.test')).toBe('acme')
      })
    })

    describe('forms', () => {
      const form = (overrides: Partial<Form> = {}): Form => {
        const [sample] = sampleAccount().forms
        if (sample === undefined) throw new Error('the sample account has no form')
        return { ...sample, version: 1, ...overrides }
      }
      const formsOf = async ({ elsewhere }: OpenedAccounts) => (await elsewhere.accounts.find('acme'))?.forms

      test('are those of the latest version', async () => {
        await using box = await opened()
        await publish(box.here, publication('acme', { forms: [form()] }))
        await publish(box.here, publication('acme', { settings: null, forms: [form({ name: 'Later' })] }))
        expect(await formsOf(box)).toEqual([form({ version: 2, name: 'Later' })])
      })

      test('that were withdrawn are gone, and the others stay', async () => {
        await using box = await opened()
        await publish(box.here, publication('acme', { forms: [form(), form({ id: 'second00' })] }))
        await publish(box.here, publication('acme', { settings: null, withdrawnForms: ['contact1'] }))
        expect((await formsOf(box))?.map(({ id }) => id)).toEqual(['second00'])
      })

      test('that were withdrawn can come back, as a version of their own', async () => {
        await using box = await opened()
        await publish(box.here, publication('acme', { forms: [form()] }))
        await publish(box.here, publication('acme', { settings: null, withdrawnForms: ['contact1'] }))
        await publish(box.here, publication('acme', { settings: null, forms: [form()] }))
        expect(await formsOf(box)).toEqual([form({ version: 2 })])
      })

      test('of the same id are each account’s own', async () => {
        await using box = await opened()
        await publish(box.here, publication('acme', { forms: [form()] }))
        await publish(box.here, publication('bold', { forms: [form({ name: 'Bold' })] }))
        expect((await formsOf(box))?.map(({ name: formName }) => formName)).toEqual(['Contact'])
      })
    })

    describe('versions', () => {
      const onlyAsset = async ({ here }: OpenedAccounts, id: string) => {
        const [asset] = await here.catalogue.assets(id)
        if (asset === undefined) throw new Error('nothing is published')
        return asset
      }

      test('are kept, latest first, and the asset keeps its id', async () => {
        await using box = await opened()
        const id = await publish(box.here, publication('acme', { assets: [anAsset('one', 'a')] }))
        const { id: assetId } = await onlyAsset(box, id)
        await publishAssets(box.here, 'acme', [anAsset('one', 'b', { publishedBy: 'hand', state: 'preview' })])
        await publishAssets(box.here, 'acme', [anAsset('one', 'a')])
        const versions = await box.elsewhere.catalogue.versions(assetId)
        expect(versions.map(({ number, sha256, state, publishedBy }) => [number, sha256, state, publishedBy])).toEqual([
          [3, hashOf('a'), 'live', 'apply'],
          [2, hashOf('b'), 'preview', 'hand'],
          [1, hashOf('a'), 'live', 'apply'],
        ])
        expect((await onlyAsset(box, id)).id).toBe(assetId)
      })

      test('of a removed asset are no longer published, and it keeps its id when it returns', async () => {
        await using box = await opened()
        const id = await publish(box.here, publication('acme', { assets: [anAsset('one', 'a')] }))
        const { id: assetId } = await onlyAsset(box, id)
        await publishAssets(box.here, 'acme', [anAsset('one', null)])
        expect(await box.here.catalogue.assets(id)).toEqual([])
        await publishAssets(box.here, 'acme', [anAsset('one', 'b')])
        expect((await onlyAsset(box, id)).id).toBe(assetId)
      })

      test('of an unknown asset do not exist', async () => {
        await using box = await opened()
        expect(await box.here.catalogue.versions('zzzzzzzz')).toEqual([])
      })

      test('that are old are forgotten: the current one and twenty earlier are kept', async () => {
        await using box = await opened()
        const id = await publish(box.here, publication('acme', { assets: [anAsset('one', '0')] }))
        for (let i = 1; i <= 24; i++) await publishAssets(box.here, 'acme', [anAsset('one', String(i))])
        const forgotten = await box.here.sites.forgetOldVersions(2000)
        expect(forgotten.sort()).toEqual(['0', '1', '2', '3'].map(hashOf).sort())
        expect(await box.here.catalogue.versions((await onlyAsset(box, id)).id)).toHaveLength(21)
        expect(await released(box.here.sites, [hashOf('3')])).toEqual([hashOf('3')])
        expect(await released(box.here.sites, [hashOf('4')])).toEqual([])
      })

      test('that are forgotten name no hash that something else still names', async () => {
        await using box = await opened()
        await publish(box.here, publication('acme', { assets: [anAsset('one', 'shared')] }))
        await publish(box.here, publication('bold', { assets: [anAsset('other', 'shared')] }))
        for (let i = 1; i <= 21; i++) await publishAssets(box.here, 'acme', [anAsset('one', String(i))])
        expect(await box.here.sites.forgetOldVersions(2000)).toEqual([])
        expect(await released(box.here.sites, [hashOf('shared')])).toEqual([])
      })

      test('of a removed asset are forgotten after an hour, not before', async () => {
        await using box = await opened()
        await publish(box.here, publication('acme', { assets: [anAsset('one', 'a')] }))
        await publishAssets(box.here, 'acme', [anAsset('one', null)])
        expect(await box.here.sites.forgetOldVersions(1000 + hourMs)).toEqual([])
        expect(await box.here.sites.forgetOldVersions(1001 + hourMs)).toEqual([hashOf('a')])
        expect(await released(box.here.sites, [hashOf('a')])).toEqual([hashOf('a')])
      })
    })
  })
}
