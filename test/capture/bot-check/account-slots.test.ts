import { describe, expect, test } from 'bun:test'
import { AccountSlots } from '../../../src/capture/bot-check/account-slots.ts'

const limits = { runningPerAccountMax: 2, waitingPerAccountMax: 3, runningMax: 5 }

/** Tasks that run until they are told to end, in the order in which they began. */
function heldTasks(slots: AccountSlots) {
  const begun: { name: string; end: () => void }[] = []
  const ask = (account: string, name = account): Promise<string | null> =>
    slots.run(account, async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      begun.push({ name, end: resolve })
      await promise
      return name
    })
  const names = () => begun.map(({ name }) => name)
  return { ask, begun, names }
}

/** Lets everything that is ready run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('verification slots', () => {
  test('a task runs at once and its answer comes back', async () => {
    expect(await new AccountSlots(limits).run('a', async () => 7)).toBe(7)
  })

  test('of one account no more run than it may have', async () => {
    const { ask, names } = heldTasks(new AccountSlots(limits))
    for (const name of ['1', '2', '3']) ask('a', name)
    await settled()
    expect(names()).toEqual(['1', '2'])
  })

  test('whoever waits longest comes next', async () => {
    const { ask, begun, names } = heldTasks(new AccountSlots(limits))
    for (const name of ['1', '2', '3', '4']) ask('a', name)
    begun[0]?.end()
    await settled()
    expect(names()).toEqual(['1', '2', '3'])
  })

  test('beyond the line nobody waits', async () => {
    const { ask, names } = heldTasks(new AccountSlots(limits))
    for (const name of ['1', '2', '3', '4', '5']) ask('a', name)
    expect(await ask('a', '6')).toBeNull()
    expect(names()).not.toContain('6')
  })

  test('one account that is slow does not hold up another', async () => {
    const { ask, names } = heldTasks(new AccountSlots(limits))
    for (const name of ['1', '2', '3', '4', '5', '6']) ask('a', name)
    ask('b')
    await settled()
    expect(names()).toContain('b')
  })

  test('of all accounts no more run than may, and the next one waits', async () => {
    const { ask, begun, names } = heldTasks(new AccountSlots(limits))
    for (const account of ['a', 'b', 'c', 'd', 'e', 'f']) ask(account)
    await settled()
    expect(names()).toEqual(['a', 'b', 'c', 'd', 'e'])
    begun[0]?.end()
    await settled()
    expect(names()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  test('accounts that wait take turns, however many of one wait', async () => {
    const { ask, begun, names } = heldTasks(
      new AccountSlots({ runningPerAccountMax: 2, waitingPerAccountMax: 3, runningMax: 2 }),
    )
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) ask('a', name)
    for (const name of ['b1', 'b2']) ask('b', name)
    for (let ended = 0; ended < 5; ended++) {
      begun[ended]?.end()
      await settled()
    }
    expect(names()).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'a5'])
  })

  test('a slot comes back when a task ends, also by failing', async () => {
    const slots = new AccountSlots({ runningPerAccountMax: 1, waitingPerAccountMax: 0, runningMax: 1 })
    await expect(slots.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await slots.run('b', async () => 'done')).toBe('done')
  })

  test('after any number of tasks all slots are free again', async () => {
    const slots = new AccountSlots(limits)
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(Array.from({ length: 5 }, (_, i) => slots.run('a', async () => i)))
      expect(answers).toEqual([0, 1, 2, 3, 4])
    }
    const { ask, names } = heldTasks(slots)
    for (const account of ['a', 'b', 'c', 'd', 'e']) ask(account)
    await settled()
    expect(names()).toHaveLength(5)
  })
})
