import type { ApplyOptions } from '../../site/apply.ts'
import { type Progress, startProgress } from '../output/streams.ts'
import type { Session } from '../session.ts'

/** Shows one progress line for each step: reading, storing, publishing. */
export function applyProgress({ err, clock }: Session): { show: ApplyOptions['onProgress']; end: () => void } {
  const labels = { reading: 'Reading', storing: 'Storing', publishing: 'Publishing' }
  let current: { step: string; done: number; bar: Progress } | null = null
  return {
    show: (step, done, total) => {
      if (current?.step !== step) {
        current?.bar.end()
        const bar = startProgress({ stream: err, clock, label: labels[step], unit: 'files', total })
        current = { step, done: 0, bar }
      }
      current.bar.advance(done - current.done)
      current.done = done
    },
    end: () => current?.bar.end(),
  }
}
