import { join } from 'node:path'
import type { Clock } from '../../../lib/clock.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import { CopyFault, type DatabaseCopies } from '../../../operations/backup/backup-ports.ts'
import type { AccountFile } from '../../../operations/move/move-ports.ts'
import { openCopy, sealKeyBeside } from '../backup/database-copies.ts'
import { type Connection, openConnection } from '../database/connection.ts'
import { isDamage } from '../salvage/damage.ts'
import { sealOf } from '../seal/box-seal.ts'
import { sealForBox } from '../seal/resealing.ts'
import { AccountArrival } from './account-arrival.ts'
import { extractAccount } from './account-extract.ts'
import { arrivingAccount } from './arriving-account.ts'

/**
 * Copies one account of the database.
 * @param database its file, which may be in use
 */
export const accountCopies = (
  database: string,
  { accountId, since, clock }: { accountId: string; since: number | null; clock: Clock },
): DatabaseCopies => ({
  copyTo(file) {
    try {
      extractAccount(file, { database, accountId, since, now: clock.now() })
    } catch (error) {
      if (error instanceof OperatorError) throw error
      throw new CopyFault((error as Error).message, isDamage(error))
    }
    return openCopy(file, sealKeyBeside(file))
  },
})

/**
 * @param folder contains the accepted file, `capture.db`
 * @throws OperatorError if it has no account, or several
 */
export function openArrival(database: string, folder: string, clock: Clock): AccountFile {
  const connection = openConnection(database)
  try {
    sealArriving(join(folder, 'capture.db'), connection)
    connection.raw.run('ATTACH ? AS arriving', [join(folder, 'capture.db')])
    const arriving = arrivingAccount(connection)
    if (arriving === null) throw new OperatorError('The file does not hold exactly one account. Nothing was changed.')
    return new AccountArrival(connection, clock, arriving)
  } catch (error) {
    connection.raw.close()
    throw error
  }
}

/** Seals the other box's secrets with the key of this one. */
function sealArriving(file: string, { raw }: Connection): void {
  const arriving = openConnection(file)
  try {
    sealForBox(arriving, { from: sealOf(arriving.raw), to: sealOf(raw).key() })
  } finally {
    arriving.raw.close()
  }
}
