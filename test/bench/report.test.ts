import { expect, test } from 'bun:test'
import type { SideResult } from '../../bench/compare.ts'
import { readOptions } from '../../bench/options.ts'
import { formPath } from '../../bench/paths/form.ts'
import { type BenchResults, renderReport } from '../../bench/report.ts'

const side = (requestsPerSecond: number, p99Ms = 2): SideResult => ({
  requestsPerSecond,
  p50Ms: 1,
  p99Ms,
  cores: 1,
  processorUs: 10,
  requests: 1000,
})

const results: BenchResults = {
  machine: {
    date: '2026-01-02',
    processor: 'A Processor',
    cores: 2,
    memoryGigabytes: 4,
    kernel: '6.1',
    bun: '1.4.5',
    fileSystem: 'ext4',
  },
  surroundings: [{ p50Us: 100, p99Us: 200, otherLoad: 0 }],
  figures: {},
}

function render(figures: BenchResults['figures'], changed: Partial<BenchResults> = {}): string {
  const options = readOptions([])
  if (!options) throw new Error('no options')
  return renderReport({ ...results, figures, ...changed }, options)
}

const against = (measured: SideResult) => ({
  path: formPath,
  bare: side(100_000),
  measured,
  ratio: measured.requestsPerSecond / 100_000,
  native: null,
})

test('a ratio that reaches its target is marked as met', () => {
  expect(render({ form: against(side(40_000)) })).toContain('| 0.40  | ≥ 0.40 ✓ |')
})

test('a ratio below its target is marked as missed', () => {
  expect(render({ form: against(side(39_000)) })).toContain('**≥ 0.40 ✗**')
})

test('a native program stands beside the bare server, in requests and in processor time', () => {
  const native = { result: { ...side(80_000), processorUs: 4 }, ratio: 0.5 }
  const report = render({ form: { ...against(side(40_000)), native } })
  expect(report).toMatch(/\| 0\.40 +\| ≥ 0\.40 ✓ +\| 80,000 +\| 0\.50 +\| \*\*≥ 0\.60 ✗\*\* +\|/)
  expect(report).toMatch(/\| 10 µs +\| 1\.0 +\| 4 µs +\| 2\.5 +\|/)
})

test('without a native program its columns are left out, and a sentence says how to have them', () => {
  const report = render({ form: against(side(40_000)) })
  expect(report).not.toContain('Ratio to native')
  expect(report).toContain('`--native DIR`')
})

test('a slow tail is marked as missed', () => {
  expect(render({ form: against(side(40_000, 15.1)) })).toContain('**15.1 ms ✗**')
})

test('a split that slows its page by more than 3 % is marked as missed', () => {
  const split = (requestsPerSecond: number) =>
    render({ split: { whole: side(10_000), split: side(requestsPerSecond) } })
  expect(split(9_700)).toContain('answered 0.97 times ✓ as often')
  expect(split(9_600)).toContain('answered **0.96 times ✗** as often')
})

test('a cluster stands beside one box', () => {
  const links = { perSecond: 1, entriesPerSecond: 4000, bytesAnEntry: 53 }
  const text = render({ cluster: { box: side(10_000), one: side(8_000), three: side(5_000, 9), links } })
  expect(text).toMatch(/a cluster of one node +\| 8,000 +\| 0\.80 +\|/)
  expect(text).toContain('4,000 entries a second in 1.0 links, 53 bytes an entry')
})

test('a disk too slow to judge on is said to be one', () => {
  const slow = { p50Us: 301, p99Us: 900, otherLoad: 0 }
  expect(render({}, { surroundings: [slow] })).toContain('not judged on this disk')
})

const latencies = (p99Ms: number) => ({ p50Ms: 1, p99Ms })

test('processing that keeps answers waiting is marked as missed', () => {
  const delays = [{ connections: 64, alone: latencies(7), behind: latencies(12.1) }]
  expect(render({ processing: { events: 1_000_000, catchUpSeconds: 30, delays } })).toContain('**5.1 ms ✗**')
})

test('the time to catch up is judged by the number of events', () => {
  const processing = { events: 100_000, catchUpSeconds: 12.1, delays: [] }
  expect(render({ processing })).toContain('**12.1 s, 8,264 /s ✗** (target: at most 12 s)')
})

test('a base that keeps answers waiting is marked as missed', () => {
  const backups = { storedEvents: 100_000, alone: latencies(8), increments: latencies(9), bases: latencies(10.1) }
  expect(render({ backups })).toContain('**10.1 ms ✗**')
})

test('a restore is judged by its memory', () => {
  const backup = { seconds: 60, processorSeconds: 50, peakMegabytes: 300 }
  const restore = { seconds: 90, processorSeconds: 80, peakMegabytes: 601 }
  const text = render({ restore: { storedEvents: 5_000_000, publishedMegabytes: 10_000, backup, restore } })
  expect(text).toMatch(/`capture backup now` +\| 60 s +\| 50 s +\| 300 MB ✓/)
  expect(text).toContain('**601 MB ✗**')
})

test('sections that did not run leave no table', () => {
  expect(render({})).not.toContain('|')
})

const reportTimes = { monthMs: 81, quarterMs: 100.5, monthPageMs: 140, quarterPageMs: 161, startMs: 45 }

test('a report as a page has its time, and no limit', () => {
  const text = render({ report: { storedEvents: 5_000_000, ...reportTimes } })
  expect(text).toMatch(/--since 30d --html - with 5,000,000 stored events +\| 140 ms +\| 95\.0 ms/)
  expect(text).toMatch(/--since 90d --html - with 5,000,000 stored events +\| 161 ms +\| 116 ms/)
})

test('a report is judged by the whole command, and shows what the start of the executable is of it', () => {
  const text = render({ report: { storedEvents: 5_000_000, ...reportTimes } })
  expect(text).toContain('| 81.0 ms ✓     | 36.0 ms')
  expect(text).toContain('| **101 ms ✗**  | 55.5 ms')
})

test('a page of the console is judged by its first byte and its size', () => {
  const pages = [
    { page: '/', firstByteMs: 49, bytes: 100_001 },
    { page: '/audit', firstByteMs: 51, bytes: 4_000 },
  ]
  const text = render({ console: { storedEvents: 5_000_000, pages } })
  expect(text).toMatch(/`\/` +\| 49.0 ms ✓ +\| \*\*100,001 ✗\*\*/)
  expect(text).toMatch(/`\/audit` +\| \*\*51.0 ms ✗\*\* +\| 4,000 ✓/)
})

test('https is shown beside a bare server over https, and beside plain HTTP', () => {
  const path = { path: formPath, bare: side(50_000), secure: side(20_000), plain: side(25_000) }
  const report = render({
    https: {
      paths: [{ ...path, ratioToBare: 0.4, ratioToPlain: 0.8 }],
      handshakes: [
        { certificates: 300, bare: { perSecond: 800, serverMs: 0.4 }, measured: { perSecond: 700, serverMs: 0.5 } },
      ],
    },
  })
  expect(report).toMatch(/\| 50,000 +\| 20,000 +\| 0\.40 +\| 25,000 +\| 0\.80 +\|/)
  expect(report).toMatch(/\| 300 certificates +\| 800 +\| 700 +\| 0\.40 ms +\| 0\.50 ms +\|/)
})
