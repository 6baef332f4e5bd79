import { expect, test } from 'bun:test'
import { StoringNotices } from '../../../src/cli/serve/storing-notices.ts'
import { WriterGone } from '../../../src/ledger/writer.ts'
import { openLog } from '../../../src/lib/log.ts'

function notices() {
  const lines: { level: string; message: string; reason?: string }[] = []
  const clock = { nowMs: 0, now: () => clock.nowMs, monotonicMs: () => clock.nowMs }
  const log = openLog({ level: 'info', format: 'json', write: (line) => lines.push(JSON.parse(line)), now: clock.now })
  const stalled = new Set<string>()
  const storing = new StoringNotices(log, clock, stalled)
  const pass = (seconds: number, each = () => {}) => {
    for (let second = 0; second < seconds; second++) {
      clock.nowMs += 1000
      each()
      storing.look()
    }
  }
  return { lines, storing, stalled, pass }
}

test('a thread that dies over and over is one line, and one more when it has stayed alive', () => {
  const { lines, storing, pass } = notices()
  pass(120, () => storing.onThreadNotice({ threadEnded: 'it ended' }))
  expect(lines).toEqual([expect.objectContaining({ level: 'error', reason: 'it ended' })])
  pass(60)
  expect(lines.slice(1)).toEqual([expect.objectContaining({ message: 'The writing thread works again.' })])
})

test('what a dead thread costs the captures is no second line', () => {
  const { lines, storing } = notices()
  storing.onThreadNotice({ threadEnded: 'it ended' })
  storing.onFailure(new WriterGone('the writing thread died: it ended'))
  expect(lines).toHaveLength(1)
})

test('a thread that hangs is one line until it answers', () => {
  const { lines, storing, pass } = notices()
  storing.onThreadNotice({ threadSilent: true })
  pass(60)
  expect(lines).toEqual([expect.objectContaining({ level: 'error', reason: 'it does not answer' })])
  storing.onThreadNotice({ threadAnswers: true })
  pass(1)
  expect(lines).toHaveLength(2)
})

test('a thread that hangs though it was replaced is named until it answers or another takes its place', () => {
  const { lines, storing, stalled } = notices()
  for (const end of [{ threadAnswers: true } as const, { threadEnded: 'it ended' }]) {
    storing.onThreadNotice({ threadHangs: true })
    expect([...stalled]).toEqual(['stores records'])
    storing.onThreadNotice(end)
    expect([...stalled]).toEqual([])
  }
  expect(lines[0]).toMatchObject({ level: 'error', message: expect.stringMatching(/^The writing thread hangs/) })
})

test('a full disk is one line, and one more once it takes records again', () => {
  const { lines, storing, pass } = notices()
  pass(60, () => storing.onFailure(new Error('database or disk is full')))
  storing.onRecovery()
  pass(60)
  expect(lines.map(({ level, reason }) => [level, reason])).toEqual([
    ['error', 'database or disk is full'],
    ['info', undefined],
  ])
})
