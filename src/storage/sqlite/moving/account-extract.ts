import { OperatorError } from '../../../lib/operator-error.ts'
import { CopyFault, type DatabaseCopy } from '../../../operations/backup/backup-ports.ts'
import { makeSealKey, sealKeyFile } from '../../disk/seal-key-file.ts'
import { openCopy, sealKeyBeside } from '../backup/database-copies.ts'
import { type Connection, openConnection, openReader } from '../database/connection.ts'
import { isDamage } from '../database/damage.ts'
import { migrateDatabase } from '../database/migrations.ts'
import { type DeclaredTable, tables } from '../schema/tables.ts'
import { sealOf } from '../seal/box-seal.ts'
import { sealForBox } from '../seal/sealed-columns.ts'

interface ExtractWanted {
  /** The file of the box's database, which may be in use. */
  database: string
  accountId: string
  /** Only records and decisions received since, epoch milliseconds; `null`: the whole account. */
  since: number | null
  now: number
}

/**
 * Writes a database with one account of the box, as of one moment.
 *
 * @throws OperatorError while something of it is being erased, CopyFault
 */
export function copyAccount(file: string, wanted: ExtractWanted): DatabaseCopy {
  try {
    extractAccount(file, wanted)
  } catch (error) {
    throw error instanceof OperatorError ? error : new CopyFault((error as Error).message, isDamage(error))
  }
  return openCopy(file, sealKeyBeside(file))
}

function extractAccount(file: string, { database, accountId, since, now }: ExtractWanted): void {
  const extract = openConnection(file)
  try {
    migrateDatabase({ connection: extract, snapshotDir: `${file}.snapshots`, now, assertAlone: () => {} })
    extract.raw.run('ATTACH ? AS source', [database])
    extract.db.transaction(() => copyRows(extract, accountId, since))
    extract.raw.run('DETACH source')
    sealForItself(extract, database)
  } finally {
    extract.raw.close()
  }
}

function copyRows({ raw }: Connection, accountId: string, since: number | null): void {
  const found = raw.query<{ row: number }, [string]>('SELECT row FROM source.account WHERE id = ?').get(accountId)
  if (found === null) throw new Error(`no account ${accountId}`)
  if (since === null) refuseUnfinished({ raw }, found.row)
  for (const { name, where } of since === null ? wholeAccount() : laterRecords()) {
    const given = { account: found.row, since }
    const bound = Object.entries(given).filter(([key]) => where.includes(`:${key}`))
    raw.query(`INSERT INTO main.${name} SELECT * FROM source.${name} WHERE ${where}`).run(Object.fromEntries(bound))
  }
  raw.run(`INSERT INTO main.receipt_hour (hour, first_sequence)
    SELECT received_at / ${msPerHour}, min(sequence) FROM main.ledger GROUP BY 1`)
  raw.run('UPDATE main.processing SET cursor = (SELECT cursor FROM source.processing)')
  raw.run('INSERT OR REPLACE INTO main.box SELECT * FROM source.box')
}

/** The file brings a key of its own, so that no other box learns this one's. */
function sealForItself(extract: Connection, database: string): void {
  const source = openReader(database)
  try {
    const key = makeSealKey(sealKeyFile(extract.raw.filename))
    sealForBox(extract, { from: sealOf(source.raw), to: key })
  } finally {
    source.raw.close()
  }
}

const msPerHour = 60 * 60 * 1000

interface MovingRows {
  name: string
  /** Selects the account's rows; `:account` is its row number. */
  where: string
}

const wholeAccount = (): MovingRows[] =>
  tables.flatMap((table) => (table.move === 'stays' ? [] : [{ name: table.name, where: ofAccount(table) }]))

/** What a later run takes: records and decisions since the instant `:since`. */
const laterRecords = (): MovingRows[] => [
  ...wholeAccount().filter(({ name }) => ['account', 'signing_key', 'moved_signing_key'].includes(name)),
  { name: 'ledger', where: 'account_row = :account AND received_at >= :since' },
]

const ofAccount = ({ of, moves }: DeclaredTable): string =>
  [...ownedBy(of), ...(moves === undefined ? [] : [moves])].join(' AND ')

function ownedBy(owner: DeclaredTable['of']): string[] {
  if (owner === 'box') return []
  if (owner === 'account') return ['account_row = :account']
  const owners = tables.filter(({ name }) => name === owner)
  return owners.map((table) => `${owner}_row IN (SELECT row FROM source.${owner} WHERE ${ofAccount(table)})`)
}

/** Derives first what an erasure or retention made stale; until then figures are in between. */
function refuseUnfinished({ raw }: Pick<Connection, 'raw'>, accountRow: number): void {
  const stale = raw
    .query<object, [number]>(
      `SELECT 1 FROM source.stale_device JOIN source.device ON device.row = device_row WHERE account_row = ?1
       UNION ALL SELECT 1 FROM source.stale_repeat WHERE account_row = ?1
       UNION ALL SELECT 1 FROM source.stale_burst WHERE account_row = ?1
       UNION ALL SELECT 1 FROM source.stale_day WHERE account_row = ?1`,
    )
    .get(accountRow)
  if (stale === null) return
  throw new OperatorError('Records of the account are being erased or deleted at the moment. Try again in a minute.')
}
