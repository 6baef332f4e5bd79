import { expect, test } from 'bun:test'
import { Uses } from '../../../src/cli/threads/console-thread.ts'

function aConsole() {
  let nowMs = 0
  const uses = new Uses({ monotonicMs: () => nowMs })
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { uses, pass }
}

test('what is under way is a use until its end, however long it takes', () => {
  const { uses, pass } = aConsole()
  const end = uses.begin()
  pass(1_800_000)
  const during = uses.idleMs()
  end()
  pass(1000)
  expect([during, uses.idleMs()]).toEqual([0, 1000])
})

test('a use that ends twice ends no other', () => {
  const { uses, pass } = aConsole()
  const end = uses.begin()
  uses.begin()
  end()
  end()
  pass(1000)
  expect(uses.idleMs()).toBe(0)
})
