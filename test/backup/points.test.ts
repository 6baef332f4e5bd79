import { describe, expect, test } from 'bun:test'
import {
  assetListName,
  baseName,
  erasuresName,
  incrementName,
  listBases,
  listIncrements,
  partName,
} from '../../src/backup/format/object-names.ts'
import { MemoryTarget } from '../harness/memory-target.ts'

const at = Date.UTC(2026, 10, 22, 11, 30, 0, 123)
const history = 'history1'
const base = { at, history, to: 90 }
const increment = { at: at + 10_000, history, chain: 'chain123', number: 0, from: 90, to: 95, hasErasures: true }

describe('the points of a target', () => {
  test('come back as they were named, with the bytes of all their objects', async () => {
    const target = new MemoryTarget()
    const name = baseName(base)
    for (const object of [name, partName(name, 1), assetListName(name), erasuresName(name)])
      await target.put(object, new Uint8Array(10))
    await target.put(incrementName(increment), new Uint8Array(7))
    expect(await listBases(target)).toEqual([{ kind: 'base', name, bytes: 40, ...base }])
    expect(await Array.fromAsync(listIncrements(target))).toEqual([
      { kind: 'increment', name: incrementName(increment), bytes: 7, ...increment },
    ])
  })

  test('are not those whose head is missing', async () => {
    const target = new MemoryTarget()
    await target.put(partName(baseName(base), 1), new Uint8Array(10))
    await target.put(assetListName(baseName(base)), new Uint8Array(10))
    expect(await listBases(target)).toEqual([])
  })

  test('are listed behind an instant', async () => {
    const target = new MemoryTarget()
    const times = [at - 86_400_000, at, at + 1, at + 86_400_000]
    for (const time of times) await target.put(incrementName({ ...increment, at: time }), new Uint8Array(1))
    const behind = await Array.fromAsync(listIncrements(target, at))
    expect(behind.map((point) => point.at)).toEqual([at + 1, at + 86_400_000])
  })
})
