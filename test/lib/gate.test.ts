import { expect, test } from 'bun:test'
import { Gate } from '../../src/lib/gate.ts'

const amply = { waitingMax: 10, waitMsMax: 60_000 }

test('those who wait are let in when it opens, and whoever comes later at once', async () => {
  const gate = new Gate(amply)
  const waiting = [gate.pass(), gate.pass()]
  gate.open()
  expect(await Promise.all([...waiting, gate.pass()])).toEqual([true, true, true])
})

test('one more than may wait is turned away at once, and the others are not', async () => {
  const gate = new Gate({ ...amply, waitingMax: 1 })
  const first = gate.pass()
  expect(await gate.pass()).toBe(false)
  gate.open()
  expect(await first).toBe(true)
})

test('whoever has waited too long is turned away, and makes room', async () => {
  const gate = new Gate({ waitingMax: 1, waitMsMax: 1 })
  expect(await gate.pass()).toBe(false)
  expect(await gate.pass()).toBe(false)
  gate.open()
  expect(await gate.pass()).toBe(true)
})

test('those who wait are turned away when it is to stay closed, and whoever comes later at once', async () => {
  const gate = new Gate(amply)
  const waiting = [gate.pass(), gate.pass()]
  gate.stayClosed()
  expect(await Promise.all([...waiting, gate.pass()])).toEqual([false, false, false])
})
