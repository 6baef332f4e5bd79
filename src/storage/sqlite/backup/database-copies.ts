import type { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import type { StoredLedgerRow } from '../../../backup/format/increment-lines.ts'
import type { CopiedDatabase } from '../../../backup/source.ts'
import { CopyFault, type DatabaseCopy } from '../../../operations/backup/backup-ports.ts'
import { readSealKey, sealKeyFile } from '../../disk/seal-key-file.ts'
import { type Connection, openReader } from '../database/connection.ts'
import { isDamage } from '../database/damage.ts'
import { writeVerifiedCopy } from '../database/verified-copy.ts'
import { decisionKinds } from '../ledger/ledger-codec.ts'
import { pagesAfter } from '../lookup/pages.ts'
import { processedTo } from '../processing/processed-to.ts'
import { publishedAs, referencedHashes } from '../site/referenced-hashes.ts'

/** @throws CopyFault */
export function copyDatabase(database: Connection, file: string): DatabaseCopy {
  try {
    writeVerifiedCopy(database, file)
  } catch (error) {
    throw new CopyFault((error as Error).message, isDamage(error))
  }
  return openCopy(file, sealKeyBeside(database.raw.filename))
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

export const sealKeyBeside = (file: string): Uint8Array | null => readSealKey(sealKeyFile(file))

/** A record may have a few hundred kilobytes; most have one. */
const pageRows = 200

const columns = 'sequence, account_row, kind, id, received_at, record, checksum'

/** The ledger's rows after `from` up to `to`, as stored. */
export function ledgerPages(raw: Database, from: number, to: number): Iterable<StoredLedgerRow[]> {
  const page = raw.query(
    `SELECT ${columns} FROM ledger WHERE sequence > ?1 AND sequence <= ?2 ORDER BY sequence LIMIT ${pageRows}`,
  )
  return pagesAfter(from, (after) => page.values(after, to) as StoredLedgerRow[], sequenceOf)
}

/** All erasure entries by account, including removed accounts. */
function* erasurePages(raw: Database): Generator<StoredLedgerRow[]> {
  const accounts = raw.query<{ row: number }, []>('SELECT row FROM account ORDER BY row').all()
  const page = raw.query(
    `SELECT ${columns} FROM ledger WHERE account_row = ?1 AND kind = ${decisionKinds.erasure} AND sequence > ?2
     ORDER BY sequence LIMIT ${pageRows}`,
  )
  for (const { row } of accounts)
    yield* pagesAfter(0, (after) => page.values(row, after) as StoredLedgerRow[], sequenceOf)
}

const sequenceOf = ([sequence]: StoredLedgerRow): number => sequence

export const hasErasures = (raw: Database, from: number, to: number): boolean =>
  raw
    .query<object, [number, number]>(
      `SELECT 1 FROM ledger WHERE sequence > ? AND sequence <= ? AND kind = ${decisionKinds.erasure} LIMIT 1`,
    )
    .get(from, to) !== null

/** The last assigned position of the ledger, even if its entry was removed since. */
export const lastPosition = (raw: Database): number =>
  raw.query<{ seq: number }, []>(`SELECT seq FROM sqlite_sequence WHERE name = 'ledger'`).get()?.seq ?? 0
