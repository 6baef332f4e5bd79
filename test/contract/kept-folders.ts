import { describe, expect, test } from 'bun:test'
import type { Clock } from '../../src/lib/clock.ts'
import type { KeptFolder } from '../../src/site/kept-folder.ts'
import { HeldClock } from './budget-store.ts'
import { anAsset, hashOf, type OpenedAccounts, publication, publish } from './opened-accounts.ts'
import { released } from './released.ts'

const folderOf = (siteToml: string, contents: Record<string, string>): KeptFolder => ({
  siteToml,
  files: Object.entries(contents).map(([path, content]) => ({
    path,
    sha256: hashOf(content),
    byteCount: content.length,
  })),
})

const by = { via: 'command', name: 'root' } as const

/** What the folders that a box keeps promise, for every implementation. */
export function keptFoldersContract(name: string, open: (clock: Clock) => Promise<OpenedAccounts>): void {
  const opened = (): Promise<OpenedAccounts> => open(new HeldClock(5000))

  describe(name, () => {
    test('an account that was published without one has none', async () => {
      await using box = await opened()
      const id = await publish(box.here, publication('acme'))
      expect(await box.elsewhere.folders.read(id)).toBeNull()
    })

    test('the folder of the last publication is kept', async () => {
      await using box = await opened()
      const first = folderOf('one', { 'pages/a.html': 'a', 'pages/b.html': 'b', 'pages/c.html': 'c' })
      const second = folderOf('two', { 'img/d.png': 'd', 'pages/a.html': 'a', 'pages/b.html': 'changed' })
      const id = await publish(box.here, publication('acme', { folder: first }))
      expect(await box.elsewhere.folders.read(id)).toEqual(first)
      await publish(box.here, publication('acme', { folder: second }))
      expect(await box.elsewhere.folders.read(id)).toEqual(second)
      await publish(box.here, publication('acme', { folder: first }))
      expect(await box.elsewhere.folders.read(id)).toEqual(first)
    })

    test('a publication without one leaves it as it is', async () => {
      await using box = await opened()
      const folder = folderOf('one', { 'pages/a.html': 'a' })
      const id = await publish(box.here, publication('acme', { folder }))
      await publish(box.here, publication('acme', { settings: null, assets: [anAsset('a', 'by hand')] }))
      expect(await box.elsewhere.folders.read(id)).toEqual(folder)
    })

    test('a publish that dies half-way leaves the folder before, and the next one clears it away', async () => {
      await using box = await opened()
      const folder = folderOf('one', { 'pages/a.html': 'a', 'pages/b.html': 'b' })
      const id = await publish(box.here, publication('acme', { folder }))
      const files = Array.from({ length: 700 }, (_, i): [string, string] => [`pages/p${i}.html`, `${i}`])
      const dead = folderOf('dead', Object.fromEntries(files))
      // The domain of another account makes the last step fail, once everything is staged.
      await publish(box.here, publication('bold'))
      const { settings } = publication('bold')
      const dying = publish(box.here, publication('acme', { folder: dead, settings }))
      await expect(dying).rejects.toThrow('belongs to the account "bold"')
      expect(await box.elsewhere.folders.read(id)).toEqual(folder)
      const next = folderOf('two', { 'pages/b.html': 'b' })
      await publish(box.here, publication('acme', { folder: next }))
      expect(await box.elsewhere.folders.read(id)).toEqual(next)
    })

    test('the bytes of its files are referred to until another folder is kept', async () => {
      await using box = await opened()
      await publish(box.here, publication('acme', { folder: folderOf('one', { 'pages/a.html': 'a' }) }))
      expect(await released(box.here.sites, [hashOf('a')])).toEqual([])
      await publish(box.here, publication('acme', { folder: folderOf('two', {}) }))
      expect(await released(box.here.sites, [hashOf('a')])).toEqual([hashOf('a')])
    })

    test('each publication is listed, latest first, up to the last 200', async () => {
      await using box = await opened()
      const note = (n: number) => ({
        by,
        origin: n % 2 === 0 ? ('box' as const) : ('elsewhere' as const),
        subjects: [`page p${n}`],
        subjectCount: n,
      })
      const id = await publish(box.here, publication('acme', { note: note(0) }))
      expect(await box.elsewhere.publications.read(id, 10)).toEqual([{ at: 1000, ...note(0) }])
      for (let n = 1; n < 205; n++)
        await publish(box.here, publication('acme', { settings: null, note: note(n), publishedAt: n }))
      const told = await box.elsewhere.publications.read(id, 1000)
      expect(told.map(({ subjectCount }) => subjectCount)).toEqual(Array.from({ length: 200 }, (_, i) => 204 - i))
    })
  })
}
