import { expect, test } from 'bun:test'
import { ProcessingTurns } from '../../../../src/storage/sqlite/commit/commit-thread.ts'

/** Turns by a clock that stands still until it is moved. */
function turnsAt(startMs: number) {
  const clock = { ms: startMs, monotonicMs: () => clock.ms }
  return { clock, turns: new ProcessingTurns(clock) }
}

const aCommit = 500
const aLargeCommit = 10_000

test('while captures come in, steps are the shortest, far apart, and ended by none of them', () => {
  const { clock, turns } = turnsAt(0)
  turns.noteCommit(aCommit)
  clock.ms += 9
  expect(turns.next(false)).toEqual({ stepMs: 2, foldMs: 2, yields: false, pauseMs: 15 })
})

test('while commits are as large as those of a box at its limit, steps are rare', () => {
  const { turns } = turnsAt(0)
  turns.noteCommit(aLargeCommit)
  expect(turns.next(false)).toEqual({ stepMs: 3, foldMs: 3, yields: false, pauseMs: 100 })
})

test('steps stay short until a quarter of a second has passed without a capture', () => {
  const { clock, turns } = turnsAt(0)
  turns.noteCommit(aCommit)
  clock.ms += 10
  expect(turns.next(false).foldMs).toBe(3)
  clock.ms += 239
  expect(turns.next(false).foldMs).toBe(3)
  clock.ms += 1
  expect(turns.next(false)).toEqual({ stepMs: 3, foldMs: 10, yields: true, pauseMs: 1 })
})

test('steps are as short while another connection writes', () => {
  const { clock, turns } = turnsAt(0)
  expect(turns.next(false).foldMs).toBe(10)
  expect(turns.next(true).foldMs).toBe(3)
  clock.ms += 249
  expect(turns.next(false).foldMs).toBe(3)
  clock.ms += 1
  expect(turns.next(false).foldMs).toBe(10)
})

test('one long step in ten is followed by a pause that a waiting writer does not miss', () => {
  const { turns } = turnsAt(0)
  const pauses = Array.from({ length: 20 }, () => turns.next(false).pauseMs)
  expect(pauses.filter((pauseMs) => pauseMs === 10)).toHaveLength(2)
  expect(pauses.filter((pauseMs) => pauseMs === 1)).toHaveLength(18)
})
