import type { Clock } from '../../lib/clock.ts'
import { count } from '../../lib/quantities.ts'
import type { MessageStream } from './streams.ts'

/** Shows on a terminal how far a long run has come; elsewhere shows nothing. */
export interface Progress {
  /** So many more are done. */
  advance(by: number): void
  /** Clears the line: what comes after stands where the bar stood. */
  end(): void
}

export interface ProgressOptions {
  stream: MessageStream
  clock: Clock
  /** What is being done: `Exporting`. */
  label: string
  /** What is counted: `rows`. */
  unit: string
  /** `null`: nobody knows. */
  total: number | null
}

const redrawMs = 100
const barColumns = 24
const returnAndClear = '\r\u001b[K'

export function startProgress({ stream, clock, label, unit, total }: ProgressOptions): Progress {
  if (!stream.isTerminal) return { advance: () => {}, end: () => {} }
  const startedMs = clock.monotonicMs()
  let drawnMs = startedMs
  let done = 0
  return {
    advance(by) {
      done += by
      const nowMs = clock.monotonicMs()
      if (nowMs - drawnMs < redrawMs) return
      drawnMs = nowMs
      const perSecond = Math.round(done / ((nowMs - startedMs) / 1000))
      stream.write(`${returnAndClear}${label} ${bar(done, total)}${count(done)} ${unit}, ${count(perSecond)}/s`)
    },
    end: () => stream.write(returnAndClear),
  }
}

function bar(done: number, total: number | null): string {
  if (total === null || total <= 0) return ''
  const share = Math.min(1, done / total)
  const filled = Math.round(share * barColumns)
  return `[${'#'.repeat(filled)}${'-'.repeat(barColumns - filled)}] ${Math.floor(share * 100)}% `
}
