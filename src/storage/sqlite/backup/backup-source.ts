import type { BackupSource, CopiedDatabase, Sight, StateMemory } from '../../../backup/source.ts'
import { boxIdOf, readBoxId, readRevision } from '../account/revision.ts'
import { type Connection, openConnection, openReader } from '../database/connection.ts'
import { schemaState } from '../database/migrations.ts'
import { processedTo } from '../processing/processed-to.ts'
import { referencedHashes } from '../site/referenced-hashes.ts'
import { hasErasures, lastPosition, ledgerPages, openCopy, sealKeyBeside } from './database-copies.ts'
import { scanState } from './state-scan.ts'

/** Copies and verifies a database on a thread of its own. */
export type DatabaseCopier = (databaseFile: string, copy: string, signal: AbortSignal) => Promise<void>

export class SqliteBackupSource implements BackupSource {
  private readonly reader: Connection
  readonly schema: number

  constructor(
    private readonly databaseFile: string,
    private readonly copier: DatabaseCopier,
  ) {
    this.reader = openReader(databaseFile)
    this.schema = schemaState(this.reader).applied
  }

  boxId(): string {
    return readBoxId(this.reader) ?? makeBoxId(this.databaseFile)
  }

  version(): number {
    return this.reader.raw.query<{ data_version: number }, []>('PRAGMA data_version').get()?.data_version ?? 0
  }

  look(since: StateMemory | null | 'skip'): Sight {
    const { raw } = this.reader
    return raw.transaction(() => ({
      to: lastPosition(raw),
      processed: processedTo({ raw }),
      revision: readRevision(this.reader),
      state: since === 'skip' ? null : scanState(raw, since),
    }))()
  }

  entries(from: number, to: number) {
    return ledgerPages(this.reader.raw, from, to)
  }

  hasErasures(from: number, to: number): boolean {
    return hasErasures(this.reader.raw, from, to)
  }

  hashes(): Iterable<string> {
    return referencedHashes(this.reader)
  }

  async copyTo(file: string, signal: AbortSignal): Promise<CopiedDatabase> {
    await this.copier(this.databaseFile, file, signal)
    return openCopy(file, sealKeyBeside(this.databaseFile))
  }

  close(): void {
    this.reader.raw.close()
  }
}

function makeBoxId(databaseFile: string): string {
  const connection = openConnection(databaseFile)
  try {
    return boxIdOf(connection)
  } finally {
    connection.raw.close()
  }
}
