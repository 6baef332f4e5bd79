import { expect, test } from 'bun:test'
import { startProgress } from '../../../src/cli/output/streams.ts'

/** A progress whose clock steps as told, and what it wrote. */
function watched(isTerminal: boolean, total: number | null = null) {
  let nowMs = 0
  const written: string[] = []
  const progress = startProgress({
    stream: { isTerminal, write: (text) => void written.push(text) },
    clock: { now: () => 0, monotonicMs: () => nowMs },
    label: 'Exporting',
    unit: 'rows',
    total,
  })
  const advance = (by: number, ms: number): void => {
    nowMs += ms
    progress.advance(by)
  }
  return { progress, advance, written }
}

test('progress is silent where there is no terminal', () => {
  const { progress, advance, written } = watched(false)
  advance(1000, 1000)
  progress.end()
  expect(written).toEqual([])
})

test('progress says how many are done and how fast', () => {
  const { advance, written } = watched(true)
  advance(2000, 500)
  expect(written).toEqual(['\r\u001b[KExporting 2,000 rows, 4,000/s'])
})

test('progress shows the percentage of a known total', () => {
  const { advance, written } = watched(true, 4000)
  advance(1000, 1000)
  expect(written[0]).toContain('Exporting 25%, 1,000 rows')
})

test('progress draws at most ten times a second', () => {
  const { advance, written } = watched(true)
  for (let ms = 0; ms < 1000; ms++) advance(1, 1)
  expect(written.length).toBe(10)
})

test('progress leaves a clean line', () => {
  const { progress, advance, written } = watched(true)
  advance(1, 1000)
  progress.end()
  expect(written.at(-1)).toBe('\r\u001b[K')
})
