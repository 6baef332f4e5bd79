import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { storedName } from '../../src/asset/stored-name.ts'
import { compressHere } from '../../src/backup/format/sealing.ts'
import { type Hold, holdTarget } from '../../src/backup/owner.ts'
import type { BackupTarget } from '../../src/backup/target/backup-target.ts'
import { TargetRunner } from '../../src/backup/target-runner.ts'
import { TargetReport, type TargetState, type TargetStates, unknownTarget } from '../../src/backup/target-state.ts'
import type { BackupTerms } from '../../src/backup/upkeep.ts'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/id.ts'
import { handedOnLog } from '../../src/lib/log.ts'
import { type DatabaseCopier, SqliteBackupSource } from '../../src/storage/sqlite/backup/backup-source.ts'
import { copyDatabaseInPassing } from '../../src/storage/sqlite/backup/box-databases.ts'
import type { Connection } from '../../src/storage/sqlite/database/connection.ts'
import { TemporaryDatabase } from '../storage/sqlite/temporary-database.ts'

const usualTerms: BackupTerms = {
  recipients: [],
  baseEveryMs: 3_600_000,
  incrementEveryMs: 10,
  keepMs: 86_400_000,
}

const copyHere: DatabaseCopier = async (from, to) => copyDatabaseInPassing(from, to)

/** A database whose target is kept up to date, without a service around it. */
export class BackedUpBox implements AsyncDisposable {
  readonly lines: { message: string; fields: Record<string, unknown> }[] = []
  readonly contents = new Map<string, Uint8Array<ArrayBuffer>>()
  readonly database: TemporaryDatabase
  readonly connection: Connection
  private readonly kept = new Map<string, TargetState>()
  private runner: TargetRunner | null = null
  private source: SqliteBackupSource | null = null

  constructor(
    readonly target: BackupTarget,
    private readonly options: {
      terms?: Partial<BackupTerms>
      clock?: Clock
      database?: TemporaryDatabase
      copier?: DatabaseCopier
    } = {},
  ) {
    this.database = options.database ?? new TemporaryDatabase()
    this.connection = this.database.connect()
  }

  /** Another copy of the folder, with all that it knows. */
  copy(): BackedUpBox {
    const other = new TemporaryDatabase()
    rmSync(other.file)
    for (const end of ['', '-wal']) copyFileSync(this.database.file + end, other.file + end)
    const box = new BackedUpBox(this.target, { ...this.options, database: other })
    for (const [url, state] of this.kept) box.kept.set(url, state)
    return box
  }

  get state(): TargetState {
    return this.states.read(this.target.url)
  }

  /** Forgets what the folder knows of its target, as a restored one does. */
  forget(): void {
    this.kept.clear()
  }

  start(): void {
    const { target, lines, states } = this
    const { terms, clock = systemClock, copier = copyHere } = this.options
    const log = handedOnLog((line) => lines.push(line))
    const source = new SqliteBackupSource(this.database.file, copier)
    this.source = source
    this.runner = new TargetRunner({
      ...{ target, source, states, log, clock, run: newId(), program: '1.2.3', create: async () => {} },
      report: new TargetReport({ url: target.url, states, clock, log, onState: () => {} }),
      compress: compressHere,
      terms: { ...usualTerms, ...terms },
      assets: {
        open: async ({ sha256, encoding }) => {
          const bytes = encoding === 'identity' ? this.contents.get(sha256) : undefined
          return bytes === undefined ? null : new File([bytes], sha256)
        },
      },
      scratch: () => {
        const file = join(this.database.dir, `copy-${newId()}.db`)
        return { file, remove: () => rmSync(file, { force: true }) }
      },
    })
    this.runner.start()
  }

  /** Becomes the writer of one base beside the running service, as `capture backup now` does. */
  holdBeside(): Promise<Hold> {
    const { source, states, target } = this
    if (source === null) throw new Error('the service does not run')
    return holdTarget({ target, source, states, run: null, create: async () => {} })
  }

  async stop(): Promise<void> {
    await this.runner?.stop()
    this.source?.close()
    this.runner = null
    this.source = null
  }

  /**
   * Makes the first account name a content.
   *
   * @returns the name of its object
   */
  publish(text: string, sequence: number): string {
    const bytes = new TextEncoder().encode(text)
    const sha256 = Bun.SHA256.hash(bytes, 'hex')
    this.contents.set(sha256, bytes)
    this.connection.raw.run(
      `INSERT INTO submission_fact (sequence, account_row, id, form_id, received_at, status, page_sha256)
       VALUES (?, 1, ?, 'f', 0, 'accepted', ?)`,
      [sequence, text, sha256],
    )
    return storedName({ sha256, encoding: 'identity' })
  }

  /** Captures so many entries. */
  capture(count: number): void {
    const { raw } = this.connection
    raw.transaction(() => {
      for (let made = 0; made < count; made++)
        raw.run('INSERT INTO ledger (account_row, kind, id, received_at, record, checksum) VALUES (1, 2, ?, ?, ?, 0)', [
          newId(),
          Date.now(),
          `{"name":"${newId()}"}`,
        ])
    })()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    await this.database[Symbol.asyncDispose]()
  }

  private held: Promise<unknown> = Promise.resolve()
  private readonly states: TargetStates = {
    read: (url) => this.kept.get(url) ?? unknownTarget(url),
    change: (url, to) => {
      const stored = this.states.read(url)
      const state = { ...stored, ...to(stored) }
      this.kept.set(url, state)
      return state
    },
    exclusively: (_url, work) => {
      const done = this.held.then(work)
      this.held = done.catch(() => {})
      return done
    },
  }
}
