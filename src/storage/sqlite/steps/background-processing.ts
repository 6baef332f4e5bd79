import type { Statement } from 'bun:sqlite'
import type { Clock } from '../../../lib/clock.ts'
import type { ProcessingNotice } from '../../../processing/processing.ts'
import { type Connection, openConnection } from '../database/connection.ts'
import { releaseLooseStep } from '../forgetting/loose-files.ts'
import { Retention } from '../forgetting/retention.ts'
import { WorkMark } from './slow-entries.ts'
import { type FoldTime, ProcessingSteps, type ServiceSteps } from './step.ts'

/** Once retention is overdue, it gets one step in so many. */
const stepsPerTurn = 4

/** What a thread that is watched says of itself, and how it deletes a content by its SHA-256. */
type Workplace = Partial<Pick<ServiceSteps, 'version' | 'mark'> & { removeContent: (sha256: string) => void }>

interface Opened {
  connection: Connection
  steps: ProcessingSteps
  /** SQLite's number that changes when another connection commits. */
  dataVersion: Statement<{ data_version: number }, []>
  seenVersion: number
}

/**
 * Processing in a service, on a connection of its own whose steps do not wait for the disk: what a power failure takes
 * back, cursor and all, is derived again from the ledger, ids included. The connection is opened on demand, and again
 * after a failure; the captures' connection is never touched.
 */
export class BackgroundProcessing {
  private opened: Opened | null = null

  private readonly service: ServiceSteps
  private readonly retention: Retention
  private readonly removeContent: (sha256: string) => void
  /** Steps of processing since retention's last turn. */
  private stepsSince = 0

  constructor(
    private readonly databaseFile: string,
    private readonly clock: Clock,
    /** Called for each entry that is set aside, and with what retention did or waits for. */
    onNotice: (notice: ProcessingNotice) => void,
    { version = '', mark = new WorkMark(), removeContent = () => {} }: Workplace = {},
  ) {
    this.removeContent = removeContent
    this.service = { startedAt: clock.now(), version, mark, onSetAside: (setAside) => onNotice({ setAside }) }
    this.retention = new Retention(clock, (retention) => onNotice({ retention }))
  }

  /**
   * Processes waiting entries for about so many milliseconds, at least one. When nothing waits, runs retention, and then removes
   * files whose records are gone; once retention is overdue, it gets one step in some although entries wait. Returns whether more
   * waits.
   *
   * @param folding the limits of a step that folds entries
   * @throws when the disk or a lock prevents it; then nothing of the step was stored
   */
  run(msMax: number, folding?: FoldTime): 'more' | 'done' {
    return this.working(({ steps, connection }) => {
      if (this.isTurnOfRetention()) {
        this.retention.run(connection, msMax)
        return 'more'
      }
      const isWaiting = steps.run(msMax, folding) === 'more' || this.retention.run(connection, msMax) === 'more'
      return isWaiting ? 'more' : releaseLooseStep(connection, this.removeContent)
    })
  }

  /** Whether another connection, of any process, has written since the last call. @throws like `run` */
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

  /** Counted before the step, so that a failing one does not take others' turns. */
  private isTurnOfRetention(): boolean {
    const isTurn = this.stepsSince >= stepsPerTurn - 1 && this.retention.isOverdue()
    this.stepsSince = isTurn ? 0 : this.stepsSince + 1
    return isTurn
  }

  close(): void {
    if (this.opened === null) return
    this.retention.tell()
    this.opened.connection.raw.close()
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
    // Before captures are stored: on a busy box, the first sweep may be hours away.
    this.retention.judgeClock(connection)
    return {
      connection,
      steps: new ProcessingSteps(connection, this.clock, this.service),
      dataVersion: connection.raw.query('PRAGMA data_version'),
      seenVersion: 0,
    }
  }
}
