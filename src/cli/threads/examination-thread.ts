import type { LoadedConfig } from '../../config/load.ts'
import type { Examination, Examined } from '../../console/examination.ts'
import type { Clock } from '../../lib/clock.ts'
import type { CheckResult } from '../../operations/check-result.ts'
import { askThread } from './one-answer.ts'
import { workerFile } from './worker-file.ts'

export interface ToExaminer {
  loaded: LoadedConfig
  deep: boolean
}

/** A check of millions of records takes minutes: each runs in a thread of its own, which ends with it. */
export class ExaminationThread implements Examination {
  private readonly underWay = new Map<boolean, Promise<Examined>>()
  private last: Examined | null = null

  constructor(
    private readonly loaded: LoadedConfig,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  run(deep: boolean): Promise<Examined> {
    const running = this.underWay.get(deep)
    if (running !== undefined) return running
    const at = this.clock.now()
    const begun = this.examine(deep)
      .then((checks) => {
        this.last = { at, checks }
        return this.last
      })
      .finally(() => this.underWay.delete(deep))
    this.underWay.set(deep, begun)
    return begun
  }

  isUnderWay(): boolean {
    return this.underWay.size > 0
  }

  latest(): Examined | null {
    return this.last
  }

  private examine(deep: boolean): Promise<CheckResult[]> {
    const file = workerFile('examination')
    return askThread<ToExaminer, CheckResult[]>(file, { loaded: this.loaded, deep }, { purpose: 'examines the box' })
  }
}
