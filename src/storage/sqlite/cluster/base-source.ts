import type { BaseSource } from '../../../cluster/base-maker.ts'
import type { LinkPlace } from '../../../cluster/cluster-log.ts'
import type { DatabaseCopier } from '../backup/backup-source.ts'
import { openBackupSource } from '../backup/box-databases.ts'
import { openReader } from '../database/connection.ts'
import { hasMuchUnprocessed } from '../lookup/unprocessed-files.ts'
import { unreferenced } from '../site/referenced-hashes.ts'
import { readPosition } from './position.ts'

/** The leader's database, as bases are made of it. */
export function openBaseSource(databaseFile: string, copier: DatabaseCopier): BaseSource & { close(): void } {
  const source = openBackupSource(databaseFile, copier)
  const reader = openReader(databaseFile)
  return {
    schema: source.schema,
    referenced: () => source.hashes(),
    unreferenced: (hashes) => (hasMuchUnprocessed(reader) ? [] : unreferenced(reader, hashes)),
    async copyTo(file, signal) {
      const copy = await source.copyTo(file, signal)
      return { copy, ...lookInto(file) }
    },
    close() {
      source.close()
      reader.raw.close()
    },
  }
}

function lookInto(file: string): { place: LinkPlace | null; to: number } {
  const { raw } = openReader(file)
  try {
    const last = raw.query<{ to: number | null }, []>('SELECT max(sequence) AS "to" FROM ledger').get()
    return { place: readPosition(raw)?.place ?? null, to: last?.to ?? 0 }
  } finally {
    raw.close()
  }
}
