import { expect, test } from 'bun:test'
import { failureNotice } from '../../src/lib/interval.ts'
import type { LogFields } from '../../src/lib/log.ts'

function notices() {
  const said: unknown[] = []
  const clock = { nowMs: 0, now: () => 0, monotonicMs: () => clock.nowMs }
  const log = { error: (_message: string, fields?: LogFields) => said.push(fields?.error) }
  const notice = failureNotice({ message: 'It failed.', log, clock })
  return { said, clock, notice }
}

test('what fails is logged at once', () => {
  const { said, notice } = notices()
  notice(new Error('database or disk is full'))
  expect(said).toEqual(['database or disk is full'])
})

test('the same failure is repeated once a minute, however often it happens', () => {
  const { said, clock, notice } = notices()
  for (; clock.nowMs < 120_000; clock.nowMs += 500) notice(new Error('database or disk is full'))
  expect(said).toHaveLength(2)
})

test('another reason is logged at once', () => {
  const { said, notice } = notices()
  notice(new Error('database or disk is full'))
  notice(new Error('disk I/O error'))
  expect(said).toEqual(['database or disk is full', 'disk I/O error'])
})
