import type { LinkPlace } from '../../../cluster/cluster-log.ts'
import type { Clock } from '../../../lib/clock.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import { openConnection } from '../database/connection.ts'
import { readMigrations, schemaState } from '../database/migrations.ts'
import { assertIntact } from '../database/verified-copy.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { leaveCluster } from '../lookup/marks.ts'
import { sealOf } from '../seal/box-seal.ts'
import { referencedHashes } from '../site/referenced-hashes.ts'
import { SqliteReplica } from './sqlite-replica.ts'

/** The migrations that this program knows. */
export const knownSchema = (): number => readMigrations().length

/**
 * Checks a copy of the leader's database, and makes it a follower's.
 *
 * @returns its place in the chain
 * @throws OperatorError
 */
export function makeFollower(databaseFile: string, clock: Clock): LinkPlace | null {
  assertSound(databaseFile)
  const replica = new SqliteReplica({ databaseFile, clock, removeContent: () => {} })
  try {
    replica.join()
    return replica.position()?.place ?? null
  } finally {
    replica.close()
  }
}

/** The database of a node that becomes a single box. */
export function openLeaving(databaseFile: string) {
  const connection = openConnection(databaseFile)
  return {
    referenced: () => referencedHashes(connection),
    makeSingle: () => writeTransaction(connection, () => leaveCluster(connection.raw)),
    close: () => connection.raw.close(),
  }
}

function assertSound(file: string): void {
  assertIntact(file)
  const connection = openConnection(file)
  try {
    const { fault } = schemaState(connection)
    if (fault !== null) throw new OperatorError(`The base of the cluster cannot be used. ${fault}`)
    sealOf(connection.raw).assertFits()
  } finally {
    connection.raw.close()
  }
}
