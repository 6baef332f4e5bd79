import type { Statement } from 'bun:sqlite'
import type { Clock } from '../../../lib/clock.ts'
import type { ProcessingNotice } from '../../../processing/processing-notice.ts'
import { type Connection, openConnection } from '../database/connection.ts'
import { RetentionSteps, retentionBegin } from '../forgetting/retention.ts'
import { guardMemory, OperatorsGuard } from '../forgetting/retention-guard.ts'
import { ProcessingSteps, type ServiceSteps } from './step.ts'
import type { FoldTime } from './step-under-way.ts'

/** Of so many steps one is retention's, once that is overdue. */
const stepsPerTurn = 4

interface Opened {
  connection: Connection
  steps: ProcessingSteps
  retention: RetentionSteps
  /** SQLite's number that changes when another connection commits. */
  dataVersion: Statement<{ data_version: number }, []>
  seenVersion: number
}

/**
 * Processing in a service, over a connection of its own whose steps do not wait for the disk: what a power failure takes
 * back, cursor and all, is made again from the ledger, ids included. The connection is opened when first needed, and anew after a
 * failure; that of the captures is never touched.
 */
export class BackgroundProcessing {
  private opened: Opened | null = null

  private readonly service: ServiceSteps
  /** Kept over a failure: on a disk or a lock that fails now and then, retention would never get to its end. */
  private readonly retention = retentionBegin()
  private readonly guarded = guardMemory()
  /** Steps of processing since retention had its turn. */
  private stepsSince = 0

  constructor(
    private readonly databaseFile: string,
    private readonly clock: Clock,
    /** Told of each entry that is set aside, and of what retention did, or waits for. */
    private readonly onNotice: (notice: ProcessingNotice) => void,
  ) {
    this.service = { startedAt: clock.now(), onSetAside: (setAside) => onNotice({ setAside }) }
  }

  /**
   * Processes what waits for about so many milliseconds, one entry at least, and deletes what is kept no longer when
   * nothing does; on a box on which something always waits, one step in some once that is overdue. Answers whether more
   * waits.
   *
   * @param folding what a step that folds entries may take
   * @throws when the disk or a lock prevents it; then nothing of the step was stored.
   */
  run(msMax: number, folding?: FoldTime): 'more' | 'done' {
    return this.working(({ steps, retention }) => {
      if (this.isTurnOf(retention)) {
        retention.run(msMax)
        return 'more'
      }
      return steps.run(msMax, folding) === 'more' ? 'more' : retention.run(msMax)
    })
  }

  /** Whether another connection, of whatever process, has written since this was asked last. @throws as `run` does */
  othersWrote(): boolean {
    return this.working((opened) => {
      const before = opened.seenVersion
      opened.seenVersion = opened.dataVersion.get()?.data_version ?? 0
      return opened.seenVersion !== before
    })
  }

  /** @throws when the disk or a lock prevents it. */
  open(): void {
    this.working(() => {})
  }

  /** Counted before the step, so that one that fails keeps nothing else from its turn. */
  private isTurnOf(retention: RetentionSteps): boolean {
    const isTurn = this.stepsSince >= stepsPerTurn - 1 && retention.isOverdue()
    this.stepsSince = isTurn ? 0 : this.stepsSince + 1
    return isTurn
  }

  close(): void {
    this.opened?.retention.tell()
    this.opened?.connection.raw.close()
    this.opened = null
  }

  private working<T>(work: (opened: Opened) => T): T {
    try {
      this.opened ??= this.connect()
      return work(this.opened)
    } catch (error) {
      this.close()
      throw error
    }
  }

  private connect(): Opened {
    const connection = openConnection(this.databaseFile)
    connection.raw.run('PRAGMA synchronous = NORMAL')
    const guard = new OperatorsGuard({
      connection,
      clock: this.clock,
      memory: this.guarded,
      onNotice: (retention) => this.onNotice({ retention }),
    })
    // Before captures are stored, and not only with the first sweep, for which a busy box has no time for hours.
    guard.begin()
    return {
      connection,
      steps: new ProcessingSteps(connection, this.clock, this.service),
      retention: new RetentionSteps(connection, this.clock, { guard, progress: this.retention }),
      dataVersion: connection.raw.query('PRAGMA data_version'),
      seenVersion: 0,
    }
  }
}
