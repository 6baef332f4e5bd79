import { statSync } from 'node:fs'
import { and, eq, gte, inArray, sum } from 'drizzle-orm'
import type { RefusalCount, RefusingEndpoint } from '../../../capture/refusal-log.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { DatabaseInspector, LedgerCheck, LostRecords, RowCheck } from '../../../operations/doctor/inspection.ts'
import { unfinishedRemovals } from '../account/account-removal.ts'
import { SqliteAccountStore } from '../account/account-store.ts'
import { ailingDestinations, mailingAccounts } from '../account/destination-rows.ts'
import { connectedDomains } from '../account/domain-claims.ts'
import { readBoxId } from '../account/revision.ts'
import { checkChain } from '../console/audit-log.ts'
import { type Connection, openReader } from '../database/connection.ts'
import { ascending } from '../database/damage.ts'
import { schemaState } from '../database/migrations.ts'
import { integrityFault } from '../database/verified-copy.ts'
import { returnedRecords } from '../forgetting/erasure-log.ts'
import { SqliteRetentionKeeper } from '../forgetting/retention-state.ts'
import { SqliteCertificateStore } from '../https/certificate-store.ts'
import { capturedKinds, decisionKinds, entryColumns, isAsCaptured, type StoredRow } from '../ledger/ledger-codec.ts'
import { pagesAfter } from '../lookup/pages.ts'
import { underivedDevices } from '../refolding/stale-kind.ts'
import { account } from '../schema/account-schema.ts'
import { refusalCount } from '../schema/capture-schema.ts'
import { sealFault } from '../seal/box-seal.ts'
import { damagedSecrets } from '../seal/sealed-columns.ts'
import { publishedAs, referencedHashes } from '../site/referenced-hashes.ts'
import { readBacklog } from '../steps/processing.ts'
import { damagedText } from './damaged-text.ts'

interface InspectorOptions {
  clock: Clock
  /** Refusal counts that the database has no room for yet. */
  reservedRefusals: () => readonly RefusalCount[]
}

/** Opens a database read-only. @throws if it cannot be opened */
export function inspectDatabase(file: string, { clock, reservedRefusals }: InspectorOptions): DatabaseInspector {
  const reader = openReader(file)
  return {
    file,
    boxId: () => readBoxId(reader),
    bytes: () => statSync(file).size,
    logBytes: () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    damage: () => integrityFault(reader.raw) ?? damagedText(reader),
    schema: () => schemaState(reader),
    sealFault: () => sealFault(reader.raw) ?? damagedSecrets(reader.raw),
    auditChain: (linesMax) => checkChain(reader, linesMax),
    checkLedger: () => checkLedger(reader),
    contents: () => referencedHashes(reader),
    publishedAs: (sha256, namesMax) => publishedAs(reader, sha256, namesMax),
    lostRecords: (since) => lostRecords(reader, since, reservedRefusals()),
    backlog: () => readBacklog(reader),
    unfinishedRemovals: () => unfinishedRemovals(reader),
    ailingDestinations: () => ailingDestinations(reader),
    mailingAccounts: () => mailingAccounts(reader),
    returnedRecords: () => returnedRecords(reader),
    underivedDevices: () => underivedDevices(reader),
    recordsReceivedAfter: (at) => recordsReceivedAfter(reader, at),
    retention: new SqliteRetentionKeeper(reader, clock.now),
    accounts: new SqliteAccountStore(reader, clock),
    certificates: new SqliteCertificateStore(reader),
    connectedDomains: () => connectedDomains(reader),
    holdsAccounts: () => reader.raw.query('SELECT 1 FROM account WHERE removed_at IS NULL LIMIT 1').get() !== null,
    close: () => reader.raw.close(),
  }
}

/** Records received after the instant, epoch milliseconds, and the latest of them. Reads the whole ledger. */
export function recordsReceivedAfter({ raw }: Connection, at: number): { count: number; latestAt: number | null } {
  const found = raw
    .query<{ count: number; latestAt: number | null }, [number]>(
      `SELECT count(*) AS count, max(received_at) AS latestAt FROM ledger
       WHERE received_at > ? AND kind IN (${capturedKinds})`,
    )
    .get(at)
  return found ?? { count: 0, latestAt: null }
}

const msPerHour = 60 * 60 * 1000
/** The worst are enough to act on. */
const shownMax = 20

/**
 * What could not be stored since the instant (epoch milliseconds, widened to its hour), most frequent first.
 *
 * @param held counts that the database has no room for yet
 */
function lostRecords(connection: Connection, since: number, unwritten: readonly RefusalCount[]): LostRecords[] {
  const sums = new Map<string, LostRecords>()
  for (const lost of [...countedLosses(connection, since), ...unwrittenLosses(connection, since, unwritten)]) {
    const key = `${lost.handle} ${lost.endpoint}`
    sums.set(key, { ...lost, count: lost.count + (sums.get(key)?.count ?? 0) })
  }
  return [...sums.values()].sort((one, other) => other.count - one.count).slice(0, shownMax)
}

function unwrittenLosses({ db }: Connection, since: number, unwritten: readonly RefusalCount[]): LostRecords[] {
  const recent = unwritten.filter(({ hour }) => hour >= Math.floor(since / msPerHour))
  const ids = [...new Set(recent.map(({ accountId }) => accountId))]
  const known = db
    .select({ id: account.id, handle: account.handle })
    .from(account)
    .where(inArray(account.id, ids))
    .all()
  const handles = new Map(known.map(({ id, handle }) => [id, handle]))
  return recent.flatMap(({ accountId, endpoint, count }) => {
    const handle = handles.get(accountId)
    return handle === undefined ? [] : [{ handle, endpoint, count }]
  })
}

function countedLosses({ db }: Connection, since: number): LostRecords[] {
  const total = sum(refusalCount.count).mapWith(Number)
  return db
    .select({ handle: account.handle, endpoint: refusalCount.endpoint, count: total })
    .from(refusalCount)
    .innerJoin(account, eq(account.row, refusalCount.accountRow))
    .where(and(eq(refusalCount.check, 'storage'), gte(refusalCount.hour, Math.floor(since / msPerHour))))
    .groupBy(account.handle, refusalCount.endpoint)
    .all()
    .map(({ handle, endpoint, count }) => ({ handle, endpoint: endpoint as RefusingEndpoint, count }))
}

const pageRows = 500
/** Faults that are described; further ones are only counted. */
const describedMax = 3

interface Account {
  row: number
  id: string
  handle: string
  isRemoved: number
}

/** Compares every row of the ledger with its checksum. Works on a read-only connection. */
async function checkLedger(reader: Connection): Promise<LedgerCheck> {
  const check: LedgerCheck = { records: nothingRead(), decisions: nothingRead() }
  const accounts = reader.raw
    .query<Account, []>('SELECT row, id, handle, removed_at IS NOT NULL AS isRemoved FROM account ORDER BY handle')
    .all()
  for (const account of accounts) {
    if (account.isRemoved === 0) await checkKinds(reader, { account, kinds: capturedKinds, check: check.records })
    await checkKinds(reader, { account, kinds: Object.values(decisionKinds), check: check.decisions })
  }
  return check
}

const nothingRead = (): RowCheck => ({ sound: 0, damaged: 0, described: [] })

async function checkKinds(
  { raw }: Connection,
  { account, kinds, check }: { account: Account; kinds: readonly number[]; check: RowCheck },
): Promise<void> {
  const page = raw.query<StoredRow, [number, number, number]>(
    `SELECT ${entryColumns} FROM ledger WHERE account_row = ? AND kind = ? AND sequence > ?
     ORDER BY sequence LIMIT ${pageRows}`,
  )
  for (const kind of kinds) {
    const read = (after: number) => ascending(page.all(account.row, kind, after), after)
    for (const rows of pagesAfter(0, read, ({ sequence }) => sequence)) {
      for (const row of rows) {
        if (isAsCaptured(row, account.id)) check.sound++
        else if (check.damaged++ < describedMax) check.described.push({ handle: account.handle, id: row.id })
      }
      await Bun.sleep(0)
    }
  }
}
