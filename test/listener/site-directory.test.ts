// What `apply` changes is visible all at once or not at all (docs/publishing.md).
import { expect, test } from 'bun:test'
import { UnreadableAccount } from '../../src/account/account-store.ts'
import { SigningKeys } from '../../src/account/signing-key.ts'
import { always } from '../../src/asset/asset.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { SiteDirectory } from '../../src/listener/site-directory.ts'
import { account as sampleAccount } from '../cli/sample-account.ts'

/** A store of one account that is published anew, name and page together, whenever the test says so. */
class Publications {
  number = 1
  /** Called between the reading of an account's settings and that of its pages. */
  betweenReadings = () => {}
  /** Whether a disk has damaged what is stored of it. */
  isDamaged = false

  readonly accounts = {
    revision: async () => String(this.number),
    list: async () => [{ id: 'a', handle: 'acme', name: 'Acme', changedAt: String(this.number) }],
    find: async () => {
      if (this.isDamaged) throw new UnreadableAccount()
      const account = sampleAccount()
      const settings = { ...account.settings, name: `${this.number}`, domains: ['go.acme.test'] }
      return { ...account, id: 'a', handle: 'acme', settings }
    },
  }

  readonly catalogue = {
    assets: async () => {
      this.betweenReadings()
      const current = { number: this.number, sha256: `${this.number}`.padStart(64, '0'), byteCount: 1, variants: [] }
      const published = { state: 'live', ...always, publishedAt: 0, publishedBy: 'apply' } as const
      return [{ id: 'page0000', kind: 'page', name: 'launch', current: { ...current, ...published } } as const]
    },
  }
}

const open = ({ accounts, catalogue }: Publications) =>
  // Only what a directory reads of the stores.
  SiteDirectory.open({
    accounts,
    catalogue,
    signingKeys: { read: async () => new SigningKeys([]) },
    clock: systemClock,
    log: { error: () => {} },
  })

const shown = (directory: SiteDirectory) => {
  const site = directory.siteOf('go.acme.test')
  return { name: site?.account.settings.name, page: site?.pages.get('launch')?.current.number }
}

test('settings and pages are of one publication, though another one falls between their readings', async () => {
  const box = new Publications()
  const directory = await open(box)
  expect(shown(directory)).toEqual({ name: '1', page: 1 })
  box.number = 2
  box.betweenReadings = () => {
    box.number = 3
    box.betweenReadings = () => {}
  }
  await directory.refresh()
  expect(shown(directory)).toEqual({ name: '3', page: 3 })
})

test('a box that is published to without a pause is still shown', async () => {
  const box = new Publications()
  box.betweenReadings = () => {
    box.number++
  }
  const directory = await open(box)
  expect(shown(directory).page).toBeGreaterThan(1)
})

test('an account that cannot be read any more is served as before, and one that never could be is not', async () => {
  const box = new Publications()
  const directory = await open(box)
  box.isDamaged = true
  box.number = 2
  await directory.refresh()
  expect([shown(directory).name, directory.adopted]).toEqual(['1', '2'])
  expect(shown(await open(box)).name).toBeUndefined()
})
