import { LocalDays } from '../../../processing/figures/local-day.ts'
import type { ProcessingState } from '../../../processing/processing-state.ts'
import { Verdicts } from '../../../verdict/verdicts.ts'
import type { Connection } from '../connection.ts'
import { SqliteClickState } from './click-state.ts'
import { SqliteDeviceState } from './device-state.ts'
import type { EntryUnderWay } from './entry-under-way.ts'
import { SqliteFigureState } from './figure-state.ts'
import { SqlitePersonState } from './person-state.ts'
import { SqliteSubmissionState } from './submission-state.ts'
import { SqliteTouchState } from './touch-state.ts'

/** The state in SQLite, for as long as one connection lives; statements are prepared once. */
export class SqliteProcessingState implements ProcessingState {
  private readonly underWay: EntryUnderWay = { sequence: 0, accountRow: 0, kind: 0, receivedAt: 0 }
  readonly devices: SqliteDeviceState
  readonly persons: SqlitePersonState
  readonly touches: SqliteTouchState
  readonly submissions: SqliteSubmissionState
  readonly clicks: SqliteClickState
  readonly figures: SqliteFigureState
  readonly days = new LocalDays()

  constructor(
    connection: Connection,
    readonly verdicts = new Verdicts(),
  ) {
    this.devices = new SqliteDeviceState(connection, this.underWay)
    this.persons = new SqlitePersonState(connection, this.underWay)
    this.touches = new SqliteTouchState(connection)
    this.submissions = new SqliteSubmissionState(connection, this.underWay)
    this.clicks = new SqliteClickState(connection, this.underWay)
    this.figures = new SqliteFigureState(connection, this.underWay)
  }

  /** The entry that is processed from now on. */
  begin({ sequence, accountRow, kind, receivedAt }: EntryUnderWay): void {
    Object.assign(this.underWay, { sequence, accountRow, kind, receivedAt })
  }

  /** Writes what was only noted; call before the step's transaction ends. */
  flush(): void {
    this.devices.flush()
    this.figures.flush()
  }

  /** Forgets what was noted; call when the step's transaction was rolled back. */
  forget(): void {
    this.devices.forget()
    this.figures.forget()
  }
}
