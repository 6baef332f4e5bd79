import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { ClickRejudging } from '../processing/clicks/click-rejudging.ts'
import type { Erasure } from '../processing/erasure.ts'
import type { Processing } from '../processing/processing.ts'
import type { RetentionKeeper } from '../processing/retention-keeper.ts'
import type { Quarantine } from '../processing/submissions/quarantine.ts'
import type { FigureReader } from '../report/figures-reader.ts'
import type { Findings } from '../report/findings.ts'
import type { PersonReader } from '../report/person-reader.ts'
import type { SubmissionReader } from '../report/submission-reader.ts'
import type { SiteStore } from '../site/site-store.ts'
import { SqliteFigureReader } from '../storage/sqlite/figure-reader.ts'
import { SqliteFindings } from '../storage/sqlite/findings.ts'
import { seemsHeld } from '../storage/sqlite/folder-lock.ts'
import { DatabaseFile } from '../storage/sqlite/forgetting/database-file.ts'
import { SqliteRetentionKeeper } from '../storage/sqlite/forgetting/retention-keeper.ts'
import { SqlitePersonReader } from '../storage/sqlite/persons/person-reader.ts'
import { SqliteProcessing } from '../storage/sqlite/processing/processing.ts'
import { SqliteQuarantine } from '../storage/sqlite/quarantine.ts'
import { SqliteSiteStore } from '../storage/sqlite/site-store.ts'
import { SqliteSubmissionReader } from '../storage/sqlite/submission-reader.ts'
import { type CapturingBox, databaseName, type OpenOptions, openCapturing } from './open-capturing.ts'
import type { Session } from './session.ts'

/** The opened data folder with every port. A service needs less, and is spared the memory of the rest. */
export interface Box extends CapturingBox {
  sites: SiteStore
  processing: Processing
  findings: Findings
  persons: PersonReader
  submissions: SubmissionReader
  quarantine: Quarantine
  figures: FigureReader
  retention: RetentionKeeper
  /** Loaded when it is asked for: few commands do, and these two are a third of what there is to load. */
  erasure(): Promise<Erasure>
  rejudging(): Promise<ClickRejudging>
}

/**
 * Opens the data folder for a command, making it on the first run.
 *
 * @throws OperatorError when the folder cannot be used, with what to do about it.
 */
export async function openBox(config: Config, session: Session, options: OpenOptions = {}): Promise<Box> {
  const { clock } = session
  const box = await openCapturing(config, session, options)
  const { dataDir, database, reader } = box
  const file = new DatabaseFile(join(dataDir, databaseName))
  const submissions = new SqliteSubmissionReader(reader)
  const processing = new SqliteProcessing(database, clock, () => seemsHeld(dataDir, 'serve'))
  return {
    ...box,
    sites: new SqliteSiteStore(database, dataDir),
    processing,
    findings: new SqliteFindings(reader),
    persons: new SqlitePersonReader(reader),
    submissions,
    quarantine: new SqliteQuarantine(database, submissions),
    figures: new SqliteFigureReader(reader),
    retention: new SqliteRetentionKeeper(database, clock.now),
    async erasure() {
      const { SqliteErasure } = await import('../storage/sqlite/forgetting/erasure.ts')
      return new SqliteErasure(database, file, clock, processing)
    },
    async rejudging() {
      const { SqliteClickRejudging } = await import('../storage/sqlite/processing/click-rejudging.ts')
      return new SqliteClickRejudging(database, clock)
    },
    close: async () => {
      await box.close()
      file.close()
    },
  }
}
