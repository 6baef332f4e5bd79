import { expect, test } from 'bun:test'
import { Uses } from '../../src/cli/console/uses.ts'

function aConsole() {
  let nowMs = 0
  const uses = new Uses({ monotonicMs: () => nowMs })
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { uses, pass }
}

test('an upload that takes half an hour is a use until its end', async () => {
  const { uses, pass } = aConsole()
  const sent = Promise.withResolvers<void>()
  const upload = uses.during(() => sent.promise)
  pass(1_800_000)
  const during = uses.idleMs()
  sent.resolve()
  await upload
  pass(1000)
  expect([during, uses.idleMs()]).toEqual([0, 1000])
})

test('a use that fails is over', async () => {
  const { uses, pass } = aConsole()
  await uses.during(() => Promise.reject(new Error('failed'))).catch(() => {})
  pass(1000)
  expect(uses.idleMs()).toBe(1000)
})
