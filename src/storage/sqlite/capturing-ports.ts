import type { AccountStore } from '../../account/account-store.ts'
import type { ReplyOptOuts } from '../../account/reply-opt-out.ts'
import type { SigningKeyStore } from '../../account/signing-key.ts'
import type { Catalogue } from '../../asset/catalogue.ts'
import type { ChallengeStore } from '../../capture/challenge-store.ts'
import type { MissingLog } from '../../capture/missing-log.ts'
import type { RefusalLog } from '../../capture/refusal-log.ts'
import { type BatchCommitter, emptyBatch } from '../../capture/write-batch.ts'
import type { AuditLines } from '../../console/audit/audit-log.ts'
import type { Confirmations } from '../../ledger/confirmations.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { VisitorFiles } from '../../ledger/visitor-files.ts'
import type { CommitNotices, WriterNotice } from '../../ledger/writer.ts'
import type { Clock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { ProcessingNotice } from '../../processing/processing.ts'
import { SqliteAccountStore } from './account/account-store.ts'
import { hasDestinations } from './account/destination-rows.ts'
import { SqliteReplyOptOuts } from './account/reply-consent.ts'
import { boxIdOf } from './account/revision.ts'
import { SqliteSigningKeyStore } from './account/signing-key-store.ts'
import { SqliteMissingLog } from './capture/missing-log.ts'
import { SqliteChallengeStore, SqliteRefusalLog } from './capture/refusal-log.ts'
import { InlineCommitter } from './commit/batch-transaction.ts'
import { GroupCommit } from './commit/group-commit.ts'
import { latestEntryIds } from './commit/latest-entry-ids.ts'
import { WorkerCommitter } from './commit/worker-committer.ts'
import { CommitFigures } from './commit/worker-messages.ts'
import { auditHead, linesAfter } from './console/audit-log.ts'
import { type Connection, openReader } from './database/connection.ts'
import { hasReceiverNotices } from './delivery/receiver-notice-rows.ts'
import { SqliteVisitorFiles } from './files/visitor-files.ts'
import { SqliteConfirmations } from './ledger/confirmations.ts'
import { SqliteLedger } from './ledger/ledger.ts'
import { type DatabaseOptions, openDatabase } from './open-database.ts'
import { SqliteCatalogue } from './site/catalogue.ts'
import { readWaiting } from './steps/processing.ts'

/** The parts of a database that capturing needs. */
export interface CapturingPorts {
  accounts: AccountStore
  signingKeys: SigningKeyStore
  catalogue: Catalogue
  ledger: Ledger
  refusals: RefusalLog
  missing: MissingLog
  challenges: ChallengeStore
  optOuts: ReplyOptOuts
  confirmations: Confirmations
  visitorFiles: VisitorFiles
  /**
   * Commits a change without effect, exactly as a record is committed. Rejects within 5 s if records cannot be stored.
   */
  probeCommit(): Promise<void>
  /**
   * The number of records that wait to be processed. @throws if a damaged page or an unreadable disk prevents the count
   */
  recordsWaiting(): number
  /** Whether any account has or had a destination or mails to visitors. */
  hasDestinations(): boolean
  /** Whether anybody has yet to be told of new receivers of visitors' data. */
  hasReceiverNotices(): boolean
  auditLines: AuditLines
  /** Counts the writing thread's commits; stays at zero in a command. */
  commits: CommitFigures
}

/** The connections below the ports, for this room alone. */
export interface Connections {
  database: Connection
  /** The same, read-only. */
  reader: Connection
}

export interface CapturingOptions extends DatabaseOptions {
  clock: Clock
  /** The entry point of the thread that writes the ledger, as servers need it; `null`: this thread does. */
  writerFile: string | URL | null
  /** Commits in place of this database, as in a cluster; the writing thread then only processes. */
  committer?: (database: OpenedDatabase) => Promise<BatchCommitter>
  /** Called when commits fail, and when they succeed again. */
  commitNotices?: CommitNotices | undefined
  /** Of the program. */
  version: string
  /** Called with everything an operator should know about the writing thread and processing, as often as it happens. */
  onThreadNotice: (notice: WriterNotice | ProcessingNotice) => void
}

/** What a committer elsewhere asks of the database. */
export interface OpenedDatabase {
  /** Whether an account is there and not removed. */
  knowsAccount: (accountId: string) => boolean
  boxId: () => string
  /** Whether the folder has founded or joined a cluster. */
  isNode: boolean
}

export interface OpenedCapturing {
  ports: CapturingPorts
  connections: Connections
  /** Waits for pending writes, then closes everything. */
  close(): Promise<void>
}

/** Opens the database of a box. @throws OperatorError that says what may be wrong */
export async function openCapturingPorts(options: CapturingOptions): Promise<OpenedCapturing> {
  const { file, clock, writerFile, version, commitNotices, onThreadNotice } = options
  const database = await openDatabase(options)
  const isNode = database.raw.query('SELECT 1 FROM cluster_position').get() !== null
  if (isNode && writerFile !== null && options.committer === undefined) refuseNode(database)
  const reader = openReader(file)
  const commits = new CommitFigures()
  const committer =
    writerFile !== null
      ? new WorkerCommitter({
          workerFile: writerFile,
          databaseFile: file,
          version,
          figures: commits,
          latestEntryIds: (count) => latestEntryIds(reader, count),
          onNotice: onThreadNotice,
        })
      : new InlineCommitter(file, clock)
  const opened = { knowsAccount: accountLookup(reader), boxId: () => boxIdOf(database), isNode }
  const shared = (await options.committer?.(opened)) ?? null
  const groupCommit = new GroupCommit(shared ?? committer, clock, commitNotices)
  return {
    connections: { database, reader },
    ports: {
      accounts: new SqliteAccountStore(database, clock),
      signingKeys: await SqliteSigningKeyStore.open(database, clock),
      catalogue: new SqliteCatalogue(reader),
      ledger: new SqliteLedger(reader, groupCommit),
      refusals: new SqliteRefusalLog(reader, groupCommit),
      missing: new SqliteMissingLog(reader, groupCommit),
      challenges: new SqliteChallengeStore(groupCommit),
      optOuts: new SqliteReplyOptOuts(groupCommit),
      confirmations: new SqliteConfirmations(reader, groupCommit, shared !== null),
      visitorFiles: new SqliteVisitorFiles(database, reader, clock, groupCommit),
      probeCommit: async () => void (await (shared ?? committer).commit(emptyBatch)),
      recordsWaiting: () => readWaiting(reader).waiting,
      hasDestinations: () => hasDestinations(reader),
      hasReceiverNotices: () => hasReceiverNotices(reader),
      auditLines: {
        head: () => auditHead(reader),
        after: (seq, limit) => linesAfter(reader, seq, limit),
      },
      commits,
    },
    close: async () => {
      await groupCommit.close()
      if (shared !== null) await committer.close()
      reader.raw.close()
      database.raw.close()
    },
  }
}

/** A node's folder, served as a single box, would deliver nothing. */
function refuseNode({ raw }: Connection): never {
  raw.close()
  throw new OperatorError(
    'This data folder belongs to a cluster, and the configuration has no [cluster] url. Put it back. To go on as a single box, restore a backup.',
  )
}

function accountLookup({ raw }: Connection): OpenedDatabase['knowsAccount'] {
  const found = raw.query<{ found: 1 }, [string]>('SELECT 1 AS found FROM account WHERE id = ? AND removed_at IS NULL')
  return (accountId) => found.get(accountId) !== null
}
