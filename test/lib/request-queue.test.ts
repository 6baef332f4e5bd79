import { expect, test } from 'bun:test'
import { RequestQueue } from '../../src/lib/request-queue.ts'

const amply = { waitingMax: 10, waitMsMax: 60_000 }

test('those who wait are let in when it opens, and whoever comes later at once', async () => {
  const queue = new RequestQueue(amply)
  const waiting = [queue.wait(), queue.wait()]
  queue.release()
  expect(await Promise.all([...waiting, queue.wait()])).toEqual([true, true, true])
})

test('one more than may wait is turned away at once, and the others are not', async () => {
  const queue = new RequestQueue({ ...amply, waitingMax: 1 })
  const first = queue.wait()
  expect(await queue.wait()).toBe(false)
  queue.release()
  expect(await first).toBe(true)
})

test('whoever has waited too long is turned away, and makes room', async () => {
  const queue = new RequestQueue({ waitingMax: 1, waitMsMax: 1 })
  expect(await queue.wait()).toBe(false)
  expect(await queue.wait()).toBe(false)
  queue.release()
  expect(await queue.wait()).toBe(true)
})

test('those who wait are turned away when it is to stay closed, and whoever comes later at once', async () => {
  const queue = new RequestQueue(amply)
  const waiting = [queue.wait(), queue.wait()]
  queue.turnAway()
  expect(await Promise.all([...waiting, queue.wait()])).toEqual([false, false, false])
})
