import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Link } from '../../src/cluster/cluster-log.ts'
import type { LinkContent } from '../../src/cluster/replica.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/id.ts'
import { sealKeyFile } from '../../src/storage/disk/seal-key-file.ts'
import { SqliteReplica } from '../../src/storage/sqlite/cluster/sqlite-replica.ts'
import { type Connection, openConnection } from '../../src/storage/sqlite/database/connection.ts'
import { readWaiting } from '../../src/storage/sqlite/steps/processing.ts'
import { ProcessingSteps } from '../../src/storage/sqlite/steps/step.ts'
import { comparedTables, type Row, rowsOf } from '../harness/compared-tables.ts'

/** The database of a leader, and a follower that joined from a copy of it. The chain between them is this. */
export class APair implements Disposable {
  readonly dir = mkdtempSync(join(tmpdir(), 'capture-pair-'))
  readonly followerFile = join(this.dir, 'capture.db')
  readonly leader: SqliteReplica
  readonly follower: SqliteReplica
  /** Of the leader's database. */
  readonly connection: Connection
  /** Of the follower's. */
  readonly followed: Connection
  readonly chain: Link[] = []

  /** @param file of the leader's database, which others may use */
  constructor(readonly file: string) {
    this.connection = openConnection(file)
    this.leader = replicaOf(file)
    this.leader.found('box')
    this.connection.raw.run('VACUUM INTO ?', [this.followerFile])
    if (existsSync(sealKeyFile(file))) cpSync(sealKeyFile(file), sealKeyFile(this.followerFile))
    this.follower = replicaOf(this.followerFile)
    this.follower.join()
    this.followed = openConnection(this.followerFile)
  }

  /** Adds what has happened to the chain; `null`: nothing has. */
  link(): Link | null {
    const next = this.next()
    if (next === null) return null
    const place = this.leader.position()?.place ?? null
    const id = newId()
    this.leader.propose(id, true)
    const number = (place?.number ?? 0) + 1
    const { body, taken } = next
    const link: Link = {
      ...{ number, id, previous: place?.id ?? null, term: 1 },
      ...{ schema: this.leader.schema, kind: 'rows', taken, body },
    }
    this.chain.push(link)
    this.leader.linked(link)
    return link
  }

  /** What the next link would contain. */
  next(): LinkContent | null {
    const next = this.leader.nextLink()
    if (next === 'base') throw new Error('no link carries what has changed')
    return next
  }

  /** The follower takes what is new in the chain, and processes it. */
  async follow(): Promise<void> {
    for (const link of this.chain.slice(this.follower.position()?.place?.number ?? 0)) {
      await this.follower.apply(link)
      process(this.followed)
      await this.follower.carryOut()
    }
    process(this.followed)
  }

  /** Whether all that the leader has is processed and in the chain. */
  isLinked(): boolean {
    while (this.link() !== null);
    const last = this.leader.lastSequence()
    return readWaiting(this.connection).waiting === 0 && (this.leader.position()?.linkedTo ?? 0) >= last
  }

  /** The rows of every table in which the two do not agree. */
  differences(): Record<string, { leader: Row[]; follower: Row[] }> {
    return Object.fromEntries(
      comparedTables.flatMap((table) => {
        const [leader, follower] = [this.rows('leader', table), this.rows('follower', table)]
        return Bun.deepEquals(leader, follower) ? [] : [[table, { leader, follower }]]
      }),
    )
  }

  rows(whose: 'leader' | 'follower', table: string): Row[] {
    return rowsOf((whose === 'leader' ? this.connection : this.followed).raw, table)
  }

  [Symbol.dispose](): void {
    this.leader.close()
    this.follower.close()
    this.connection.raw.close()
    this.followed.raw.close()
    rmSync(this.dir, { recursive: true })
  }
}

export const replicaOf = (databaseFile: string): SqliteReplica =>
  new SqliteReplica({ databaseFile, clock: systemClock, removeContent() {} })

export function process(connection: Connection): void {
  const steps = new ProcessingSteps(connection, systemClock)
  while (steps.run(1000) === 'more');
}
