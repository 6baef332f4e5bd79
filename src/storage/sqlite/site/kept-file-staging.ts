import type { KeptFile } from '../../../site/kept-folder.ts'
import type { Connection } from '../database/connection.ts'
import { inSteps, rowsPerStep, writeInSteps } from '../database/in-steps.ts'
import { keptFiles } from './kept-folders.ts'

interface Standing {
  row: number
  siteRevision: number
}

/** Stages the differences between the kept files and a folder's, for the next site revision. */
export async function stageKeptFiles(connection: Connection, standing: Standing, files: KeptFile[]): Promise<void> {
  const before = new Map(keptFiles(connection, standing).map((file) => [file.path, file]))
  const after = new Set(files.map(({ path }) => path))
  const written = files.filter(({ path, sha256 }) => before.get(path)?.sha256 !== sha256)
  const gone = [...before.keys()].filter((path) => !after.has(path))
  const next = standing.siteRevision + 1
  const end = connection.raw.query<null, [number, number, string]>(
    'UPDATE kept_file SET to_revision = ? WHERE account_row = ? AND path = ? AND to_revision IS NULL',
  )
  const begin = connection.raw.query<null, [number, string, string, number, number]>(
    'INSERT INTO kept_file (account_row, path, sha256, byte_count, from_revision) VALUES (?, ?, ?, ?, ?)',
  )
  await writeInSteps(connection, gone, { write: (path) => end.run(next, standing.row, path) })
  await writeInSteps(connection, written, {
    write({ path, sha256, byteCount }) {
      end.run(next, standing.row, path)
      begin.run(standing.row, path, sha256, byteCount, next)
    },
  })
}

/** Undoes what a killed publish staged for a revision that never came. */
export async function clearUnpublishedFiles(connection: Connection, { row, siteRevision }: Standing): Promise<void> {
  await repeated(connection, 'DELETE FROM kept_file WHERE account_row = ? AND from_revision > ?', row, siteRevision)
  const revive = 'UPDATE kept_file SET to_revision = NULL WHERE account_row = ? AND to_revision > ?'
  await repeated(connection, revive, row, siteRevision)
}

/** Deletes files of earlier folders. */
export const forgetEarlierFiles = (connection: Connection, { row, siteRevision }: Standing): Promise<void> =>
  repeated(connection, 'DELETE FROM kept_file WHERE account_row = ? AND to_revision <= ?', row, siteRevision)

async function repeated({ raw }: Connection, statement: string, row: number, revision: number): Promise<void> {
  const step = raw.query<null, [number, number]>(`${statement} LIMIT ${rowsPerStep}`)
  await inSteps(() => step.run(row, revision))
}
