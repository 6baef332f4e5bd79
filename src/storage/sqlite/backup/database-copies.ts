import { statSync } from 'node:fs'
import type { CopiedDatabase } from '../../../backup/source.ts'
import { CopyFault, type DatabaseCopies, type DatabaseCopy } from '../../../operations/backup/backup-ports.ts'
import { type Connection, openReader } from '../database/connection.ts'
import { publishedAs } from '../inspection/published-names.ts'
import { processedTo } from '../processing/processed-to.ts'
import { isDamage } from '../salvage/damage.ts'
import { referencedHashes } from '../site/referenced-hashes.ts'
import { erasurePages, lastPosition } from './ledger-pages.ts'
import { writeVerifiedCopy } from './verified-copy.ts'

export class SqliteDatabaseCopies implements DatabaseCopies {
  constructor(private readonly database: Connection) {}

  copyTo(file: string): DatabaseCopy {
    try {
      writeVerifiedCopy(this.database, file)
    } catch (error) {
      throw new CopyFault((error as Error).message, isDamage(error))
    }
    return openCopy(file)
  }
}

/** A copy that nobody else has open. */
export function openCopy(file: string): DatabaseCopy & CopiedDatabase {
  const reader = openReader(file)
  const { raw } = reader
  return {
    file,
    bytes: statSync(file).size,
    to: lastPosition(raw),
    processed: processedTo({ raw }),
    hashes: () => referencedHashes(reader),
    erasures: () => erasurePages(raw),
    publishedAs: (sha256, namesMax) => publishedAs(reader, sha256, namesMax),
    close: () => raw.close(),
  }
}
