import type { Connection } from '../database/connection.ts'
import { rowsPerStep, writeInSteps } from '../database/in-steps.ts'

interface Version {
  assetId: string
  number: number
}

/**
 * Undoes what a killed publish staged for a site revision that never came: its versions are deleted, and those they
 * were to supersede stay current. Nobody has seen any of it, so it is done in steps; they are found without the write
 * lock.
 */
export async function clearUnpublished(connection: Connection, accountRow: number, siteRevision: number) {
  const { raw } = connection
  const staged = raw.query<Version, [number, number]>(ofAccount('from_revision'))
  const superseded = raw.query<Version, [number, number]>(ofAccount('to_revision'))
  const remove = raw.query<null, [string, number]>(`DELETE FROM asset_version WHERE ${isVersion}`)
  const restore = raw.query<null, [string, number]>(
    `UPDATE asset_version SET to_revision = NULL, superseded_at = NULL WHERE ${isVersion}`,
  )
  for (const [found, change] of [[staged, remove] as const, [superseded, restore] as const]) {
    for (;;) {
      const versions = found.all(accountRow, siteRevision)
      if (versions.length === 0) break
      await writeInSteps(connection, versions, { write: ({ assetId, number }) => change.run(assetId, number) })
    }
  }
}

const isVersion = 'asset_id = ? AND number = ?'

const ofAccount = (revision: 'from_revision' | 'to_revision'): string =>
  `SELECT asset_id AS assetId, number FROM asset_version WHERE account_row = ? AND ${revision} > ? LIMIT ${rowsPerStep}`
