import { expect, test } from 'bun:test'
import { Gate } from '../../src/lib/gate.ts'

const amply = { heldMax: 10, heldMsMax: 60_000 }

test('those who wait are let in when it opens, and whoever comes later at once', async () => {
  const gate = new Gate(amply)
  const waiting = [gate.pass(), gate.pass()]
  gate.open()
  expect(await Promise.all([...waiting, gate.pass()])).toEqual([true, true, true])
})

test('one more than may wait is turned away at once, and the others are not', async () => {
  const gate = new Gate({ ...amply, heldMax: 1 })
  const first = gate.pass()
  expect(await gate.pass()).toBe(false)
  gate.open()
  expect(await first).toBe(true)
})

test('whoever has waited too long is turned away, and makes room', async () => {
  const gate = new Gate({ heldMax: 1, heldMsMax: 1 })
  expect(await gate.pass()).toBe(false)
  expect(await gate.pass()).toBe(false)
  gate.open()
  expect(await gate.pass()).toBe(true)
})
