import type { Clock } from '../../lib/clock.ts'
import { count } from '../../lib/quantities.ts'
import type { MessageStream } from './streams.ts'

/** Shows the progress of a long run on a terminal, and nothing elsewhere. */
export interface Progress {
  /** Counts `by` more as done. */
  advance(by: number): void
  /** Clears the line. */
  end(): void
}

interface ProgressOptions {
  stream: MessageStream
  clock: Clock
  /** `Exporting` */
  label: string
  /** `rows` */
  unit: string
  /** `null`: unknown. */
  total: number | null
}

const redrawMs = 100
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
      stream.write(`${returnAndClear}${label} ${percentage(done, total)}${count(done)} ${unit}, ${count(perSecond)}/s`)
    },
    end: () => stream.write(returnAndClear),
  }
}

const percentage = (done: number, total: number | null): string =>
  total === null || total <= 0 ? '' : `${Math.floor(Math.min(1, done / total) * 100)}%, `
