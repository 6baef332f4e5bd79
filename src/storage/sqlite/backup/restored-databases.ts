import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { count } from 'drizzle-orm'
import type { Clock } from '../../../lib/clock.ts'
import type {
  RecordCounts,
  RestoredDatabases,
  UndoneRemovals,
  UnrestoredRecords,
} from '../../../operations/backup/backup-ports.ts'
import { readSealKey, sealKeyFile } from '../../disk/seal-key-file.ts'
import { visibleAccount } from '../account/account-store.ts'
import { type Connection, openConnection } from '../database/connection.ts'
import { migrateDatabase } from '../database/migrations.ts'
import { assertIntact } from '../database/verified-copy.ts'
import { allErasures } from '../forgetting/erasure-log.ts'
import { decisionKinds, entryKinds, isOfSubmission, ledgerKinds } from '../ledger/ledger-codec.ts'
import { account } from '../schema/account-schema.ts'
import { fits, readProof } from '../seal/box-seal.ts'
import { referencedHashes } from '../site/referenced-hashes.ts'
import { assertOurs } from './box-databases.ts'
import { eraseAgain } from './erasing-again.ts'
import { openReplay } from './replayed-increments.ts'

const fileIn = (folder: string): string => join(folder, 'capture.db')

function read<T>(file: string, reading: (raw: Database) => T): T {
  const raw = new Database(file, { readonly: true, strict: true })
  try {
    return reading(raw)
  } finally {
    raw.close()
  }
}

export const restoredDatabases = (clock: Clock): RestoredDatabases => ({
  accept: (staged, options) => acceptDatabase(fileIn(staged), { ...options, snapshotDir: join(staged, 'snapshots') }),
  compare: (present, staged) => compareWithRestored(present, fileIn(staged)),
  count: (staged) => read(fileIn(staged), countRecords),
  erasureLog: (present) => read(present, allErasures),
  opensWith: (staged, key) => read(fileIn(staged), (raw) => fits(raw, key)),
  replay: (staged) => openReplay(fileIn(staged)),
  eraseAgain: (folder, log) => eraseAgain(fileIn(folder), clock, log),
})

type Accepting = Parameters<RestoredDatabases['accept']>[1]

const hashPattern = /^[0-9a-f]{64}$/

/**
 * Proves that a database from elsewhere is one that this program can run on, and brings it to its schema.
 *
 * @throws Error with the fault, worded to follow "The database in it …"
 */
async function acceptDatabase(
  file: string,
  { now, snapshotDir, holds }: Accepting & { snapshotDir: string },
): ReturnType<RestoredDatabases['accept']> {
  try {
    assertIntact(file)
  } catch (error) {
    throw new Error(`is damaged: ${(error as Error).message}`)
  }
  const connection = openConnection(file)
  try {
    assertOurs(connection)
    migrateDatabase({ connection, snapshotDir, now, assertAlone: () => {} })
    assertOpens(connection)
    const accounts = connection.db.select({ n: count() }).from(account).where(visibleAccount).get()?.n ?? 0
    return { accounts, missing: await missingFrom(connection, holds) }
  } finally {
    connection.raw.close()
  }
}

/** @throws Error with the fault, when the key beside the database does not open its secrets */
function assertOpens({ raw }: Connection): void {
  if (readProof(raw) === null) return
  const key = readSealKey(sealKeyFile(raw.filename))
  if (key === null || !fits(raw, key))
    throw new Error(
      'has sealed secrets, and no key for them is with it: put the right `seal.key` into the folder of the file',
    )
}

async function missingFrom(connection: Connection, holds: Accepting['holds']): Promise<number> {
  let missing = 0
  for (const sha256 of referencedHashes(connection)) {
    if (!hashPattern.test(sha256))
      throw new Error('is damaged: it names published bytes by something that is not a checksum')
    if (!(await holds(sha256))) missing++
  }
  return missing
}

/**
 * Compares the database to be moved aside with the one that replaces it. The first is only read, and what is read has
 * been there since the first version, so that a newer database can be read too.
 *
 * @throws if it is damaged or not a database of ours
 */
export function compareWithRestored(
  present: string,
  restored: string,
): { leftBehind: UnrestoredRecords; undone: UndoneRemovals } {
  const raw = new Database(present, { readonly: true, strict: true })
  try {
    raw.run('PRAGMA trusted_schema = 0')
    raw.run('ATTACH ? AS restored', [restored])
    return { leftBehind: findLeftBehind(raw), undone: findUndone(raw) }
  } finally {
    raw.close()
  }
}

/**
 * A record has the same sequence in every copy of a ledger, but after a restore the sequence may be another record's.
 */
const unknownRecordsQuery = `
  SELECT kind, count(*) AS count FROM main.ledger there
  WHERE NOT EXISTS (SELECT 1 FROM restored.ledger here WHERE here.sequence = there.sequence AND here.id = there.id)
  GROUP BY kind`

const unknownAccountsQuery = `
  SELECT handle FROM main.account there WHERE removed_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM restored.account here WHERE here.id = there.id AND here.removed_at IS NULL)
  ORDER BY handle`

function findLeftBehind(raw: Database): UnrestoredRecords {
  const rows = raw.query<CountOfKind, []>(unknownRecordsQuery).all()
  return { ...byKind(rows), accounts: handles(raw, unknownAccountsQuery) }
}

const countRecords = (raw: Database): RecordCounts =>
  byKind(raw.query<CountOfKind, []>('SELECT kind, count(*) AS count FROM ledger GROUP BY kind').all())

interface CountOfKind {
  kind: number
  count: number
}

function byKind(rows: CountOfKind[]): RecordCounts {
  const counts = new Map(rows.map(({ kind, count }) => [kind, count]))
  const known = {
    submissions: counts.get(entryKinds.submission) ?? 0,
    events: counts.get(entryKinds.event) ?? 0,
    pageViews: counts.get(entryKinds.page_view) ?? 0,
    clicks: counts.get(entryKinds.click) ?? 0,
  }
  const others = rows.reduce((sum, { kind, count }) => sum + (ledgerKinds.includes(kind) ? 0 : count), 0)
  return { ...known, others }
}

/** Removed at 0: by nobody (erasing-again.ts). */
const removedAccountsQuery = `
  SELECT here.handle FROM main.account there JOIN restored.account here ON here.id = there.id
  WHERE there.removed_at > 0 AND here.removed_at IS NULL
  ORDER BY here.handle`

const handles = (raw: Database, query: string): string[] =>
  raw
    .query<{ handle: string }, []>(query)
    .all()
    .map(({ handle }) => handle)

/**
 * The latest decisions about submissions, of one kind, that the restored database lacks. Only for submissions that it has; others are
 * left behind with what was decided about them.
 */
const undoneDecisionsQuery = (kind: 'release' | 'refusal'): string => `
  SELECT account.handle AS account, decision.id AS submissionId FROM main.ledger decision
  JOIN main.account known ON known.row = decision.account_row
  JOIN restored.account ON account.id = known.id AND account.removed_at IS NULL
  WHERE decision.kind = ${decisionKinds[kind]}
    AND NOT EXISTS (SELECT 1 FROM main.ledger later WHERE later.account_row = decision.account_row
      AND later.kind ${isOfSubmission} AND later.id = decision.id AND later.sequence > decision.sequence)
    AND EXISTS (SELECT 1 FROM restored.ledger submission WHERE submission.account_row = account.row
      AND submission.kind = ${entryKinds.submission} AND submission.id = decision.id)
    AND NOT EXISTS (SELECT 1 FROM restored.ledger here WHERE here.account_row = account.row
      AND here.kind ${isOfSubmission} AND here.id = decision.id
      AND here.kind = decision.kind AND here.received_at = decision.received_at)
  ORDER BY decision.sequence`

function findUndone(raw: Database): UndoneRemovals {
  const removedAccounts = handles(raw, removedAccountsQuery)
  const undone = (kind: 'release' | 'refusal') =>
    raw.query<UndoneRemovals['releases'][number], []>(undoneDecisionsQuery(kind)).all()
  return { removedAccounts, releases: undone('release'), refusals: undone('refusal') }
}
