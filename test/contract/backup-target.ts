import { describe, expect, test } from 'bun:test'
import type { BackupTarget } from '../../src/backup/target/backup-target.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

async function listed(target: BackupTarget, folder: string, after?: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of target.list(folder, after)) names.push(name)
  return names
}

/** What the port promises, for every implementation. `open` gives a target with nothing in it. */
export function backupTargetContract(name: string, open: () => Promise<BackupTarget>): void {
  describe(name, () => {
    test('what was put is there, byte for byte', async () => {
      const target = await open()
      const bytes = crypto.getRandomValues(new Uint8Array(60_000))
      await target.put('bases/one', bytes)
      expect(await target.get('bases/one')).toEqual(bytes)
    })

    test('an object may be empty', async () => {
      const target = await open()
      await target.put('bases/empty', new Uint8Array())
      expect(await target.get('bases/empty')).toEqual(new Uint8Array())
    })

    test('an object of the largest size comes back whole', async () => {
      const target = await open()
      const bytes = new Uint8Array(16 * 1024 * 1024).fill(7)
      await target.put('bases/large', bytes)
      expect(Bun.SHA256.hash((await target.get('bases/large')) ?? '', 'hex')).toBe(Bun.SHA256.hash(bytes, 'hex'))
    })

    test('an object that is not there is null', async () => {
      const target = await open()
      expect(await target.get('bases/none')).toBeNull()
    })

    test('a second put replaces the first', async () => {
      const target = await open()
      await target.put('owner', bytesOf('one'))
      await target.put('owner', bytesOf('other'))
      expect(await target.get('owner')).toEqual(bytesOf('other') as Uint8Array<ArrayBuffer>)
    })

    test('putNew leaves an object that is there as it is', async () => {
      const target = await open()
      expect(await target.putNew('owner', bytesOf('one'))).toBe(true)
      expect(await target.putNew('owner', bytesOf('other'))).toBe(false)
      expect(await target.get('owner')).toEqual(bytesOf('one') as Uint8Array<ArrayBuffer>)
    })

    test('of several putNew at once, one wins, and its object is there', async () => {
      const target = await open()
      const boxes = Array.from({ length: 8 }, (_, number) => `box ${number}`)
      const won = await Promise.all(boxes.map((box) => target.putNew('owner', bytesOf(box))))
      expect(won.filter(Boolean)).toHaveLength(1)
      expect(await target.get('owner')).toEqual(bytesOf(boxes[won.indexOf(true)] ?? '') as Uint8Array<ArrayBuffer>)
    })

    test('a listing has the names of its folder in ascending order, with their sizes', async () => {
      const target = await open()
      for (const name of ['increments/20261122/b', 'bases/b', 'bases/a.000001', 'bases/a', 'increments/20261121/c'])
        await target.put(name, bytesOf(name))
      expect(await listed(target, 'bases/')).toEqual(['bases/a', 'bases/a.000001', 'bases/b'])
      expect(await listed(target, 'increments/')).toEqual(['increments/20261121/c', 'increments/20261122/b'])
      for await (const { name, bytes } of target.list('bases/')) expect(bytes).toBe(name.length)
    })

    test('a listing says when an object was put', async () => {
      const target = await open()
      await target.put('assets/a', bytesOf('a'))
      for await (const { at } of target.list('assets/')) expect(Math.abs(Date.now() - at)).toBeLessThan(600_000)
    })

    test('a listing goes on behind a name or a folder', async () => {
      const target = await open()
      for (const name of ['increments/20261121/a', 'increments/20261122/b', 'increments/20261122/c'])
        await target.put(name, bytesOf(name))
      expect(await listed(target, 'increments/', 'increments/20261122/')).toEqual([
        'increments/20261122/b',
        'increments/20261122/c',
      ])
      expect(await listed(target, 'increments/', 'increments/20261122/b')).toEqual(['increments/20261122/c'])
    })

    test('a listing goes on where an answer ends', async () => {
      const target = await open()
      const names = Array.from({ length: 1050 }, (_, number) => `assets/${String(number).padStart(4, '0')}`)
      for (let from = 0; from < names.length; from += 50)
        await Promise.all(names.slice(from, from + 50).map((name) => target.put(name, bytesOf(name))))
      expect(await listed(target, 'assets/')).toEqual(names)
    })

    test('a folder without objects has an empty listing', async () => {
      const target = await open()
      expect(await listed(target, 'bases/')).toEqual([])
    })

    test('a deleted object is gone, and deleting it again is no fault', async () => {
      const target = await open()
      await target.put('bases/one', bytesOf('one'))
      await target.delete('bases/one')
      await target.delete('bases/one')
      expect(await target.get('bases/one')).toBeNull()
      expect(await listed(target, 'bases/')).toEqual([])
    })
  })
}
