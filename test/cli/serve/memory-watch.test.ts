import { expect, test } from 'bun:test'
import { MemoryWatch } from '../../../src/cli/serve/housekeeping.ts'

const megabyte = 1024 * 1024

/** A process that holds so much at rest, and garbage beside it, which a collection takes away. */
function aProcess(atRestMb: number) {
  const state = { atRestMb, garbageMb: 0, collections: 0, isSaid: true }
  const watch = new MemoryWatch({
    residentBytes: () => (state.isSaid ? (state.atRestMb + state.garbageMb) * megabyte : null),
    collect: () => {
      state.collections++
      state.garbageMb = 0
    },
  })
  const look = async (times: number) => {
    for (let time = 0; time < times; time++) await watch.look()
  }
  return { state, look }
}

test('a box that rests below the limit is never collected', async () => {
  const { state, look } = aProcess(85)
  await look(100)
  expect(state.collections).toBe(0)
})

test('a box that holds much at rest is collected once, and then left alone', async () => {
  const { state, look } = aProcess(400)
  await look(100)
  expect(state.collections).toBe(1)
})

test('garbage is collected, on a small box and on a large one', async () => {
  for (const atRestMb of [85, 400]) {
    const { state, look } = aProcess(atRestMb)
    await look(10)
    const before = state.collections
    state.garbageMb = atRestMb / 2
    await look(10)
    expect([atRestMb, state.collections]).toEqual([atRestMb, before + 1])
  }
})

test('a box that has come to hold more is left alone after a few collections', async () => {
  const { state, look } = aProcess(130)
  await look(10)
  state.atRestMb = 400
  await look(20)
  const before = state.collections
  await look(100)
  expect(state.collections).toBe(before)
})

test('while the system does not say what the process holds nothing is done, and afterwards it is as before', async () => {
  const { state, look } = aProcess(85)
  await look(10)
  state.garbageMb = 200
  state.isSaid = false
  await look(10)
  expect(state.collections).toBe(0)
  state.isSaid = true
  await look(1)
  expect(state.collections).toBe(1)
})
