import { expect, test } from 'bun:test'
import { processingNotices } from '../../../src/cli/serve/storing-notices.ts'
import type { LogFields } from '../../../src/lib/log.ts'

const minuteMs = 60_000

function notices() {
  const said: [level: string, fields: LogFields | undefined][] = []
  const advice: string[] = []
  const at = (level: string) => (message: string, fields?: LogFields) => {
    said.push([level, fields])
    advice.push(message)
  }
  const clock = { nowMs: 0, now: () => 0, monotonicMs: () => clock.nowMs }
  return {
    said,
    advice,
    clock,
    notice: processingNotices({ error: at('error'), warn: at('warn'), info: at('info') }, clock),
  }
}

test('processing that fails is an error once, however often it is tried, and names the command that looks into it', () => {
  const { said, advice, clock, notice } = notices()
  for (; clock.nowMs < 10 * minuteMs; clock.nowMs += 1000) notice({ processingFailed: 'TypeError in one (one.ts:1)' })
  expect(said).toEqual([['error', { reason: 'TypeError in one (one.ts:1)' }]])
  expect(advice[0]).toContain('`capture doctor`')
})

test('each reason is said, and again in an hour when it goes on', () => {
  const { said, clock, notice } = notices()
  for (; clock.nowMs < 90 * minuteMs; clock.nowMs += minuteMs) {
    notice({ processingFailed: 'one' })
    notice({ processingFailed: 'other' })
  }
  expect(said.map(([, fields]) => fields?.reason)).toEqual(['one', 'other', 'one', 'other'])
})

test('records that are set aside are one warning a minute, with how many there were since the last', () => {
  const { said, advice, clock, notice } = notices()
  for (; clock.nowMs <= minuteMs; clock.nowMs += 1000) notice({ setAside: 'why' })
  expect(said).toEqual([
    ['warn', { records: 1, reason: 'why' }],
    ['warn', { records: 60, reason: 'why' }],
  ])
  expect(advice[0]).toContain('`capture doctor`')
})
