import { and, eq, isNull, max, sql } from 'drizzle-orm'
import type { AssetVersion } from '../../../asset/asset.ts'
import { newShortId } from '../../../lib/id.ts'
import type { KeptFile, KeptFolder, KeptFolders } from '../../../site/kept-folder.ts'
import type { AssetPublication } from '../../../site/site-store.ts'
import type { Connection } from '../database/connection.ts'
import { inSteps, rowsPerStep, writeInSteps } from '../database/in-steps.ts'
import { account } from '../schema/account-schema.ts'
import { asset, assetVersion, keptFolder } from '../schema/site-schema.ts'

/** An id that is taken is drawn again. */
const drawsMax = 10

/** The publish for which assets are staged. */
interface Staging {
  accountRow: number
  /** The site revision that will show them. */
  nextRevision: number
  publishedAt: number
}

/** Writes an account's assets for an unpublished site revision. Prepared once, since a site may have 10,000. */
export class AssetStaging {
  private readonly statements: Statements

  constructor(connection: Connection, staging: Staging) {
    this.statements = prepareStatements(connection, staging)
  }

  /** Call in a transaction. */
  stage({ kind, name, version }: AssetPublication): void {
    const assetId = this.assetId(kind, name)
    this.statements.supersede.run({ assetId })
    if (version === null) return
    const number: AssetVersion['number'] = (this.statements.latest.get({ assetId })?.number ?? 0) + 1
    this.statements.insertVersion.run({ ...version, assetId, number })
  }

  private assetId(kind: AssetPublication['kind'], name: string): string {
    const found = this.statements.findAsset.get({ kind, name })
    if (found) return found.id
    for (let draw = 0; draw < drawsMax; draw++) {
      const made = this.statements.insertAsset.get({ id: newShortId(), kind, name })
      if (made) return made.id
    }
    throw new Error(`no free id for a ${kind} in ${drawsMax} draws`)
  }
}

type Statements = ReturnType<typeof prepareStatements>

function prepareStatements({ db }: Connection, { accountRow, nextRevision, publishedAt }: Staging) {
  const value = sql.placeholder
  return {
    findAsset: db
      .select({ id: asset.id })
      .from(asset)
      .where(and(eq(asset.accountRow, accountRow), eq(asset.kind, value('kind')), eq(asset.name, value('name'))))
      .prepare(),
    insertAsset: db
      .insert(asset)
      .values({ id: value('id'), accountRow, kind: value('kind'), name: value('name') })
      .onConflictDoNothing({ target: asset.id })
      .returning({ id: asset.id })
      .prepare(),
    supersede: db
      .update(assetVersion)
      .set({ toRevision: nextRevision, supersededAt: publishedAt })
      .where(and(eq(assetVersion.assetId, value('assetId')), isNull(assetVersion.toRevision)))
      .prepare(),
    latest: db
      .select({ number: max(assetVersion.number) })
      .from(assetVersion)
      .where(eq(assetVersion.assetId, value('assetId')))
      .prepare(),
    insertVersion: db
      .insert(assetVersion)
      .values({
        assetId: value('assetId'),
        number: value('number'),
        accountRow,
        sha256: value('sha256'),
        byteCount: value('byteCount'),
        variants: value('variants'),
        state: value('state'),
        liveFrom: value('liveFrom'),
        liveUntil: value('liveUntil'),
        publishedAt,
        publishedBy: value('publishedBy'),
        fromRevision: nextRevision,
      })
      .prepare(),
  }
}

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

export class SqliteKeptFolders implements KeptFolders {
  constructor(private readonly connection: Connection) {}

  async read(accountId: string): Promise<KeptFolder | null> {
    return this.connection.db.transaction(() => {
      const found = this.find(accountId)
      if (found === undefined) return null
      return { siteToml: found.siteToml, files: keptFiles(this.connection, found) }
    })
  }

  async readSiteToml(accountId: string): Promise<string | null> {
    return this.find(accountId)?.siteToml ?? null
  }

  private find(accountId: string): (Standing & { siteToml: string }) | undefined {
    return this.connection.db
      .select({ row: account.row, siteRevision: account.siteRevision, siteToml: keptFolder.siteToml })
      .from(account)
      .innerJoin(keptFolder, eq(keptFolder.accountRow, account.row))
      .where(eq(account.id, accountId))
      .get()
  }
}

const keptFiles = ({ raw }: Connection, { row, siteRevision }: Standing): KeptFile[] =>
  raw
    .query<KeptFile, [number, number]>(
      `SELECT path, sha256, byte_count AS byteCount FROM kept_file
       WHERE account_row = ?1 AND from_revision <= ?2 AND (to_revision IS NULL OR to_revision > ?2)
       ORDER BY path`,
    )
    .all(row, siteRevision)

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

export const forgetEarlierFiles = (connection: Connection, { row, siteRevision }: Standing): Promise<void> =>
  repeated(connection, 'DELETE FROM kept_file WHERE account_row = ? AND to_revision <= ?', row, siteRevision)

async function repeated({ raw }: Connection, statement: string, row: number, revision: number): Promise<void> {
  const step = raw.query<null, [number, number]>(`${statement} LIMIT ${rowsPerStep}`)
  await inSteps(() => step.run(row, revision))
}
