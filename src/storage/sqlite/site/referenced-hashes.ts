import type { PublishedName } from '../../../operations/asset/damaged-assets.ts'
import type { Connection } from '../database/connection.ts'
import { breath, rowsPerStep, writeInSteps } from '../database/in-steps.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { pagesAfter } from '../lookup/pages.ts'
import { hasMuchUnprocessed, unprocessedFiles } from '../lookup/unprocessed-files.ts'

const pageRows = 500

/**
 * Every hash to which a kept version on this box refers, or a kept folder, or a submission: its file, or the page that its device
 * was served; ascending, unique, read page by page.
 */
export function* referencedHashes({ raw }: Pick<Connection, 'raw'>): Generator<string> {
  const page = raw.query<{ sha256: string }, [string]>(
    `SELECT sha256 FROM asset_version WHERE sha256 > ?1
     UNION
     SELECT sha256 FROM kept_file WHERE sha256 > ?1
     UNION
     SELECT page_sha256 FROM submission_fact WHERE page_sha256 > ?1
     UNION
     SELECT sha256 FROM submission_file WHERE sha256 > ?1
     UNION
     SELECT sha256 FROM (${unprocessedFiles}) WHERE sha256 > ?1
     ORDER BY sha256 LIMIT ${pageRows}`,
  )
  for (const rows of pagesAfter('', (after) => page.all(after), hashOf)) yield* rows.map(hashOf)
}

const hashOf = ({ sha256 }: { sha256: string }): string => sha256

/** Earlier versions of each asset that are kept for `page rollback`. */
const earlierVersionsKept = 20
/** A removed asset's versions stay this long, so that a server that has not reloaded yet still finds the bytes. */
const removedKeptMs = 60 * 60 * 1000

interface Version {
  assetId: string
  number: number
  sha256: string
}

/**
 * Deletes versions that are neither current nor kept for `page rollback`; returns the hashes that nothing refers to any
 * more. Finds them without the write lock, which is taken to delete them.
 */
export async function forgetOldVersions(connection: Connection, now: number): Promise<string[]> {
  const { raw } = connection
  const old = raw.query<Version, [number]>(oldVersionsQuery)
  const remove = raw.query<null, [string, number]>('DELETE FROM asset_version WHERE asset_id = ? AND number = ?')
  const hashes = new Set<string>()
  for (;;) {
    const found = old.all(now - removedKeptMs)
    if (found.length === 0) break
    await writeInSteps(connection, found, { write: ({ assetId, number }) => remove.run(assetId, number) })
    for (const { sha256 } of found) hashes.add(sha256)
  }
  await forgetUnversionedAssets(connection)
  return unreferenced(connection, [...hashes])
}

/** The hashes that `referencedHashes` would not name. */
export const unreferenced = ({ raw }: Connection, hashes: readonly string[]): string[] =>
  raw
    .query<{ sha256: string }, [string]>(
      `SELECT value AS sha256 FROM json_each(?)
       WHERE NOT EXISTS (SELECT 1 FROM asset_version WHERE asset_version.sha256 = value)
         AND NOT EXISTS (SELECT 1 FROM kept_file WHERE kept_file.sha256 = value)
         AND NOT EXISTS (SELECT 1 FROM submission_fact WHERE page_sha256 = value)
         AND NOT EXISTS (SELECT 1 FROM submission_file WHERE submission_file.sha256 = value)
         AND value NOT IN (${unprocessedFiles})`,
    )
    .all(JSON.stringify(hashes))
    .map(({ sha256 }) => sha256)

/** Contents removed in one transaction: a millisecond or two. */
export const contentsPerStep = 20

/** Removes contents that `referencedHashes` would not name; none while many records wait to be processed. A visitor's file cannot be claimed while its content is being removed. */
export async function releaseUnreferenced(
  connection: Connection,
  hashes: readonly string[],
  remove: (sha256: string) => void,
): Promise<void> {
  if (hasMuchUnprocessed(connection)) return
  const found = unreferenced(connection, hashes)
  for (let first = 0; first < found.length; first += contentsPerStep) {
    const some = found.slice(first, first + contentsPerStep)
    writeTransaction(connection, () => {
      for (const sha256 of unreferenced(connection, some)) remove(sha256)
    })
    await breath()
  }
}

const oldVersionsQuery = `
  SELECT asset_id AS assetId, number, sha256 FROM asset_version version
  WHERE superseded_at IS NOT NULL AND (
    (SELECT count(*) FROM asset_version later WHERE later.asset_id = version.asset_id AND later.number > version.number)
      > ${earlierVersionsKept}
    OR (superseded_at < ?1 AND NOT EXISTS (
      SELECT 1 FROM asset_version current WHERE current.asset_id = version.asset_id AND current.to_revision IS NULL)))
  LIMIT ${rowsPerStep}`

async function forgetUnversionedAssets({ raw }: Connection): Promise<void> {
  const isUnversioned = 'NOT EXISTS (SELECT 1 FROM asset_version WHERE asset_id = asset.id)'
  const unversioned = raw.query<{ id: string }, []>(`SELECT id FROM asset WHERE ${isUnversioned} LIMIT ${rowsPerStep}`)
  const remove = raw.query<null, [string]>(
    `DELETE FROM asset WHERE id IN (SELECT value FROM json_each(?)) AND ${isUnversioned}`,
  )
  for (;;) {
    const found = unversioned.all()
    if (found.length === 0) return
    remove.run(JSON.stringify(found.map(({ id }) => id)))
    await breath()
  }
}

/** What has these bytes now or had them in a kept version, at most so many. */
export const publishedAs = ({ raw }: Pick<Connection, 'raw'>, sha256: string, namesMax: number): PublishedName[] =>
  raw
    .query<PublishedName, [string, number]>(
      `SELECT DISTINCT account.handle, asset.kind, asset.name
       FROM asset_version version
       JOIN asset ON asset.id = version.asset_id
       JOIN account ON account.row = version.account_row
       WHERE version.sha256 = ? ORDER BY account.handle, asset.kind, asset.name LIMIT ?`,
    )
    .all(sha256, namesMax)
