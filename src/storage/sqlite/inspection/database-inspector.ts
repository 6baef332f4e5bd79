import { statSync } from 'node:fs'
import type { RefusalCount } from '../../../capture/refusal-log.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { DatabaseInspector } from '../../../operations/doctor/inspection.ts'
import { unfinishedRemovals } from '../account/account-removal.ts'
import { SqliteAccountStore } from '../account/account-store.ts'
import { connectedDomains } from '../account/domain-claims.ts'
import { checkChain } from '../console/audit-log.ts'
import { openReader } from '../database/connection.ts'
import { schemaState } from '../database/migrations.ts'
import { integrityFault } from '../database/verified-copy.ts'
import { ailingDestinations, mailingAccounts } from '../delivery/ailing-destinations.ts'
import { returnedRecords } from '../forgetting/erasure-log.ts'
import { SqliteRetentionKeeper } from '../forgetting/retention-keeper.ts'
import { SqliteCertificateStore } from '../https/certificate-store.ts'
import { underivedDevices } from '../refolding/stale-marks.ts'
import { sealFault } from '../seal/box-seal.ts'
import { referencedHashes } from '../site/referenced-hashes.ts'
import { readBacklog } from '../steps/processing.ts'
import { recordsReceivedAfter } from './future-records.ts'
import { checkLedger } from './ledger-check.ts'
import { lostRecords } from './lost-records.ts'
import { publishedAs } from './published-names.ts'

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
    bytes: () => statSync(file).size,
    logBytes: () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    damage: () => integrityFault(reader.raw),
    schema: () => schemaState(reader),
    sealFault: () => sealFault(reader.raw),
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
