import type { Connection } from '../database/connection.ts'
import { ledgerBy } from '../lookup/ledger-tree.ts'
import { TreeFault, unlessDamaged } from './damage.ts'

/** Numbers read at a time. */
const pageNumbers = 256
/** Numbers tried one by one in a reading at most: some seconds. */
const triedMax = 1_000_000

export interface NumbersQuery {
  accountRow: number
  /** See `entryKinds` in ledger-codec.ts. */
  kinds: readonly number[]
  /** After this one. */
  after: number
}

/** A number under which a record of the account may be stored. */
interface LedgerNumber {
  sequence: number
  /** Whether a record is certain to exist. */
  isCertain: boolean
}

/**
 * The numbers of an account's records in ascending order, as far as a damaged file shows them: by the index; where that
 * is unreadable, by the table; where neither is readable, number by number.
 */
export function* ledgerNumbers(connection: Connection, query: NumbersQuery): Generator<LedgerNumber> {
  for (let { after } = query; ; ) {
    const page = unlessDamaged(
      () => indexed(connection, { ...query, after }),
      () => null,
    )
    if (page === null) {
      yield* numbersByTable(connection, { ...query, after })
      return
    }
    for (const sequence of page) yield { sequence, isCertain: true }
    const last = page.at(-1)
    if (last === undefined) return
    after = last
  }
}

function indexed({ raw }: Connection, { accountRow, kinds, after }: NumbersQuery): number[] {
  const page = raw.query<{ sequence: number }, [number, number, number]>(
    `SELECT sequence FROM ${ledgerBy.account}
     WHERE account_row = ? AND kind = ? AND sequence > ? ORDER BY sequence LIMIT ${pageNumbers}`,
  )
  const rows = kinds.flatMap((kind) => page.all(accountRow, kind, after))
  rows.sort((one, other) => one.sequence - other.sequence)
  return ascending(rows.slice(0, pageNumbers), after).map(({ sequence }) => sequence)
}

/** A damaged index may lead back, so that reading it would never end. @throws TreeFault */
export function assertAscending(rows: readonly { sequence: number }[], after: number): void {
  let last = after
  for (const { sequence } of rows) {
    if (!(sequence > last)) throw new TreeFault('the numbers of the ledger are not in order')
    last = sequence
  }
}

/** The rows. @throws TreeFault as `assertAscending` does */
export function ascending<Row extends { sequence: number }>(rows: Row[], after: number): Row[] {
  assertAscending(rows, after)
  return rows
}

function* numbersByTable(connection: Connection, query: NumbersQuery): Generator<LedgerNumber> {
  let tried = 0
  for (let { after } = query; ; ) {
    const page = unlessDamaged(
      () => tabled(connection, after),
      () => null,
    )
    if (page?.length === 0) return
    if (page === null) {
      const end = Math.min(after + pageNumbers, newestNumber(connection))
      if (after >= end || tried >= triedMax) return
      for (let sequence = after + 1; sequence <= end; sequence++, tried++) yield { sequence, isCertain: false }
      after = end
      continue
    }
    for (const sequence of page) yield { sequence, isCertain: false }
    after = page.at(-1) ?? after
  }
}

/** All accounts' numbers: a row's account is on the same page. */
function tabled({ raw }: Connection, after: number): number[] {
  const page = raw.query<{ sequence: number }, [number]>(
    `SELECT sequence FROM ${ledgerBy.table} WHERE sequence > ? ORDER BY sequence LIMIT ${pageNumbers}`,
  )
  return ascending(page.all(after), after).map(({ sequence }) => sequence)
}

/** Whether the index has the number under one of the kinds; `null`: the index is unreadable there. */
export function isIndexed(
  { raw }: Connection,
  { accountRow, kinds }: Pick<NumbersQuery, 'accountRow' | 'kinds'>,
  sequence: number,
): boolean | null {
  const entry = raw.query<object, [number, number, number]>(
    `SELECT 1 FROM ${ledgerBy.account} WHERE account_row = ? AND kind = ? AND sequence = ?`,
  )
  const answers = kinds.map((kind) =>
    unlessDamaged(
      () => entry.get(accountRow, kind, sequence) !== null,
      () => null,
    ),
  )
  return answers.includes(true) || (answers.includes(null) ? null : false)
}

/** The latest number; where the end of the table is damaged, the latest ever assigned; 0 if nothing shows it. */
export function newestNumber(connection: Connection): number {
  return unlessDamaged(
    () => numberOf(connection, `SELECT max(sequence) AS sequence FROM ${ledgerBy.table}`),
    () =>
      unlessDamaged(
        () => numberOf(connection, `SELECT seq AS sequence FROM sqlite_sequence WHERE name = 'ledger'`),
        () => 0,
      ),
  )
}

/** A damaged page may contain any number. */
function numberOf({ raw }: Connection, query: string): number {
  const { sequence = null } = raw.query<{ sequence: unknown }, []>(query).get() ?? {}
  if (sequence === null) return 0
  if (Number.isSafeInteger(sequence) && Number(sequence) >= 0) return Number(sequence)
  throw new TreeFault('the latest number of the ledger is none')
}
