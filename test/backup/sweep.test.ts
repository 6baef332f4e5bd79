import { describe, expect, test } from 'bun:test'
import { storedName } from '../../src/asset/stored-name.ts'
import { writeBundle } from '../../src/backup/format/bundle.ts'
import {
  assetListName,
  baseName,
  incrementName,
  listBases,
  listIncrements,
  partName,
} from '../../src/backup/format/object-names.ts'
import { openSealer } from '../../src/backup/format/sealing.ts'
import { type SweepWanted, sweep } from '../../src/backup/sweep.ts'
import { MemoryTarget } from '../harness/memory-target.ts'

const day = 86_400_000
const now = Date.UTC(2026, 10, 22)
const history = 'history1'
const keep10Days: SweepWanted = { now, keepMs: 10 * day, baseEveryMs: day, hashes: [] }
const hash = (letter: string): string => letter.repeat(64)

class DatedTarget extends MemoryTarget {
  /** Puts objects as if it were so many days ago. */
  async daysAgo(days: number, put: () => Promise<unknown>): Promise<void> {
    this.now = () => now - days * day
    await put()
  }
}

async function base(target: DatedTarget, days: number, contents: string[] = []): Promise<string> {
  const name = baseName({ at: now - days * day, history, to: 1 })
  const chunks = [new TextEncoder().encode(contents.map((content) => `${content}\n`).join(''))]
  await target.daysAgo(days, async () => {
    await writeBundle(target, await openSealer([]), {
      name: assetListName(name),
      header: () => ({ kind: 'list' }),
      chunks,
    })
    await target.put(name, new Uint8Array(1))
  })
  return name
}

const increment = (target: DatedTarget, days: number, chain = 'chain001', number = 0) =>
  target.daysAgo(days, () =>
    target.put(
      incrementName({ at: now - days * day, history, chain, number, from: 1, to: 2, hasErasures: false }),
      new Uint8Array(1),
    ),
  )

const asset = (target: DatedTarget, days: number, name: string) =>
  target.daysAgo(days, () => target.put(name, new Uint8Array(1)))

const daysOf = (points: { at: number }[]): number[] => points.map(({ at }) => (now - at) / day)

describe('what a target no longer needs', () => {
  test('are bases and increments older than keep', async () => {
    const target = new DatedTarget()
    for (const days of [12, 9, 3]) await base(target, days)
    for (const days of [11, 10, 8, 2]) await increment(target, days, `chain0${days}`.slice(0, 8).padEnd(8, 'x'))
    expect(await sweep(target, keep10Days)).toEqual({ bases: 1, increments: 2, contents: 0 })
    expect(daysOf(await listBases(target))).toEqual([9, 3])
    expect(daysOf(await Array.fromAsync(listIncrements(target)))).toEqual([8, 2])
  })

  test('is never the latest base', async () => {
    const target = new DatedTarget()
    for (const days of [40, 30]) await base(target, days)
    await increment(target, 20)
    expect(await sweep(target, keep10Days)).toEqual({ bases: 1, increments: 0, contents: 0 })
    expect(daysOf(await listBases(target))).toEqual([30])
  })

  test('is no increment of the chain that the first base interrupts', async () => {
    const target = new DatedTarget()
    await base(target, 9)
    await increment(target, 10, 'chainone', 0)
    await increment(target, 9.5, 'chaintwo', 0)
    await increment(target, 8.9, 'chaintwo', 1)
    await sweep(target, keep10Days)
    expect(daysOf(await Array.fromAsync(listIncrements(target)))).toEqual(
      [9.5, 8.9].map((days) => expect.closeTo(days)),
    )
  })

  test('are contents that no kept base and not the box names, once they are older than keep and one base', async () => {
    const target = new DatedTarget()
    await base(target, 20, [hash('a')])
    await base(target, 5, [hash('b'), `${hash('b')}.br`])
    await asset(target, 30, storedName({ sha256: hash('a'), encoding: 'identity' }))
    await asset(target, 30, storedName({ sha256: hash('b'), encoding: 'br' }))
    await asset(target, 30, storedName({ sha256: hash('c'), encoding: 'gzip' }))
    await asset(target, 10.9, storedName({ sha256: hash('d'), encoding: 'identity' }))
    await asset(target, 30, partName(storedName({ sha256: hash('a'), encoding: 'identity' }), 1))
    expect((await sweep(target, { ...keep10Days, hashes: [hash('c')] })).contents).toBe(2)
    const left = [...target.objects.keys()].filter((name) => name.startsWith('assets/')).sort()
    expect(left).toEqual([`assets/${hash('b')}.br`, `assets/${hash('c')}.gz`, `assets/${hash('d')}`])
  })

  test('is no content younger than 7 days, however short backups are kept', async () => {
    const target = new DatedTarget()
    await base(target, 0)
    await asset(target, 6.9, storedName({ sha256: hash('a'), encoding: 'identity' }))
    await asset(target, 7.1, storedName({ sha256: hash('b'), encoding: 'identity' }))
    await sweep(target, { ...keep10Days, keepMs: 1000, baseEveryMs: 1000 })
    expect([...target.objects.keys()].filter((name) => name.startsWith('assets/'))).toEqual([`assets/${hash('a')}`])
  })

  test('are parts of bases that were never finished, after a week', async () => {
    const target = new DatedTarget()
    await base(target, 0)
    const unfinished = (days: number) => partName(baseName({ at: now - days * day, history, to: 1 }), 1)
    for (const days of [6, 8]) await asset(target, days, unfinished(days))
    await sweep(target, keep10Days)
    expect(target.objects.has(unfinished(6))).toBe(true)
    expect(target.objects.has(unfinished(8))).toBe(false)
  })

  test('cannot be told where the list of a kept base is damaged, and no content goes', async () => {
    const target = new DatedTarget()
    const name = await base(target, 1)
    await asset(target, 30, storedName({ sha256: hash('a'), encoding: 'identity' }))
    target.objects.set(assetListName(name), new Uint8Array(5))
    await expect(sweep(target, keep10Days)).rejects.toMatchObject({ object: assetListName(name) })
    expect(target.objects.has(storedName({ sha256: hash('a'), encoding: 'identity' }))).toBe(true)
  })
})
