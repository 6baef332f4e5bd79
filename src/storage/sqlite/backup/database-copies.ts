import { statSync } from 'node:fs'
import type { CopiedDatabase } from '../../../backup/source.ts'
import { CopyFault, type DatabaseCopies, type DatabaseCopy } from '../../../operations/backup/backup-ports.ts'
import { readSealKey, sealKeyFile } from '../../disk/seal-key-file.ts'
import { type Connection, openReader } from '../database/connection.ts'
import { writeVerifiedCopy } from '../database/verified-copy.ts'
import { publishedAs } from '../inspection/published-names.ts'
import { processedTo } from '../processing/processed-to.ts'
import { isDamage } from '../salvage/damage.ts'
import { referencedHashes } from '../site/referenced-hashes.ts'
import { erasurePages, lastPosition } from './ledger-pages.ts'

export class SqliteDatabaseCopies implements DatabaseCopies {
  constructor(private readonly database: Connection) {}

  copyTo(file: string): DatabaseCopy {
    try {
      writeVerifiedCopy(this.database, file)
    } catch (error) {
      throw new CopyFault((error as Error).message, isDamage(error))
    }
    return openCopy(file, sealKeyBeside(this.database.raw.filename))
  }
}

/** A copy that nobody else has open. @param sealKey of the box that was copied */
export function openCopy(file: string, sealKey: Uint8Array | null): DatabaseCopy & CopiedDatabase {
  const reader = openReader(file)
  const { raw } = reader
  return {
    file,
    sealKey,
    bytes: statSync(file).size,
    to: lastPosition(raw),
    processed: processedTo({ raw }),
    hashes: () => referencedHashes(reader),
    erasures: () => erasurePages(raw),
    publishedAs: (sha256, namesMax) => publishedAs(reader, sha256, namesMax),
    close: () => raw.close(),
  }
}

/** The key of the database in the file. */
export const sealKeyBeside = (file: string): Uint8Array | null => readSealKey(sealKeyFile(file))
