import { expect, test } from 'bun:test'
import { everyInterval } from '../../src/lib/interval.ts'
import { eventually } from '../harness/eventually.ts'

test('work that fails every time is tried again, and said once', async () => {
  let runs = 0
  const said: string[] = []
  const failing = async () => {
    runs++
    throw new Error('disk I/O error')
  }
  const interval = everyInterval(1, failing, { error: (message) => said.push(message) })
  await eventually('it has run often', async () => runs >= 20)
  await interval.stop()
  expect(said).toHaveLength(1)
})

test('work is never under way twice, and stopping waits for it', async () => {
  let under = 0
  let most = 0
  let done = 0
  const work = async () => {
    most = Math.max(most, ++under)
    await new Promise((resolve) => setImmediate(resolve))
    under--
    done++
  }
  const interval = everyInterval(1, work, { error: () => {} })
  await eventually('it has run often', async () => done >= 20)
  await interval.stop()
  expect([most, under]).toEqual([1, 0])
})
