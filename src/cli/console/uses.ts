import type { Clock } from '../../lib/clock.ts'

/** For how long something has not been used. What is under way is a use, however long it takes. */
export class Uses {
  private underWay = 0
  private lastAtMs: number

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {
    this.lastAtMs = clock.monotonicMs()
  }

  /** @returns what ends this use; a second call does nothing */
  begin(): () => void {
    let isOver = false
    this.underWay++
    return () => {
      if (isOver) return
      isOver = true
      this.underWay--
      this.lastAtMs = this.clock.monotonicMs()
    }
  }

  idleMs(): number {
    return this.underWay > 0 ? 0 : this.clock.monotonicMs() - this.lastAtMs
  }
}
