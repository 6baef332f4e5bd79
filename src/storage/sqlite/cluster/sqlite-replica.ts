import type { Database } from 'bun:sqlite'
import type { IntakeBatch, Link, LinkPlace } from '../../../cluster/cluster-log.ts'
import type { BaseContent, LinkContent, Replica, ReplicaPosition, Sums } from '../../../cluster/replica.ts'
import type { Clock } from '../../../lib/clock.ts'
import { finishAccountRemovals, unfinishedRemovals } from '../account/account-removal.ts'
import { type Connection, openConnection } from '../database/connection.ts'
import { schemaState } from '../database/migrations.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { DatabaseFile } from '../forgetting/database-file.ts'
import { FollowedRemoval, type LinkedRemovals } from '../forgetting/followed-removal.ts'
import { beginFollowing, endFollowing, isFollowing } from '../lookup/following.ts'
import { setMarks } from '../lookup/marks.ts'
import { processedTo } from '../processing/processed-to.ts'
import { sealOf } from '../seal/box-seal.ts'
import { isNext, putLink } from './link-applying.ts'
import { decodeLink } from './link-body.ts'
import { endMarks, makeLink, proposeBase } from './link-making.ts'
import { removalsIn } from './link-removals.ts'
import { hasUnlinked, knownPosition, lastEntry, moveTo, OldLinks, readPosition } from './position.ts'
import { removeRowsAhead } from './rows-ahead.ts'
import { beginSums } from './sums.ts'
import { contains, TakenBatches, takenIds, unlink, wholeTo } from './taken-batches.ts'

interface ReplicaOptions {
  databaseFile: string
  clock: Clock
  /** Deletes a content by its SHA-256. */
  removeContent: (sha256: string) => void
}

/** The writing thread processes what was applied. */
const processingLookMs = 20

export class SqliteReplica implements Replica {
  readonly schema: number
  private readonly connection: Connection
  readonly raw: Database
  private readonly batches: TakenBatches
  private readonly oldLinks: OldLinks

  constructor(private readonly options: ReplicaOptions) {
    const { databaseFile } = options
    this.connection = openConnection(databaseFile)
    this.raw = this.connection.raw
    // A link carries what a cascade has deleted, and an entry may come after what refers to it.
    this.raw.run('PRAGMA foreign_keys = 0')
    this.schema = schemaState(this.connection).applied
    this.batches = new TakenBatches(databaseFile)
    this.oldLinks = new OldLinks(options.clock)
    if (readPosition(this.raw) !== null) this.write(() => setMarks(this.raw))
  }

  position(): ReplicaPosition | null {
    const position = readPosition(this.raw)
    if (position === null) return null
    const { cluster, place, proposed, linkedTo, run } = position
    return { cluster, place, proposed, linkedTo, run }
  }

  hasUnlinked(): boolean {
    return isFollowing(this) ? knownPosition(this.raw).isApart : hasUnlinked(this.raw)
  }

  found(cluster: string): void {
    this.write(() => {
      // Every node has the same key: what is sealed later opens on all of them.
      sealOf(this.raw).key()
      this.raw.run('INSERT INTO cluster_position (id, cluster, linked_to) VALUES (1, ?, ?)', [
        cluster,
        processedTo(this),
      ])
      setMarks(this.raw)
    })
  }

  join(): void {
    this.write(() => {
      knownPosition(this.raw)
      this.raw.run('DELETE FROM cluster_changed')
      this.raw.run('DELETE FROM cluster_sent')
      // What is proposed may be the link that carries this copy.
      this.raw.run('UPDATE cluster_position SET is_apart = 0, run = NULL, unlinkable = NULL')
      setMarks(this.raw)
      beginFollowing(this, 0)
    })
  }

  leadAs(run: string | null): void {
    this.raw.run('UPDATE cluster_position SET run = ?', [run])
  }

  lastSequence(): number {
    return lastEntry(this.raw)
  }

  takenIds(): string[] {
    return takenIds(this.raw)
  }

  commit(batches: readonly IntakeBatch[], now: number): void {
    const { repeated = [], added = [] } = Object.groupBy(batches, (batch) =>
      contains(this.raw, batch) ? 'repeated' : 'added',
    )
    if (repeated.length > 0) this.write(() => unlink(this.raw, repeated))
    this.batches.commit(added, now)
  }

  nextLink(): LinkContent | 'base' | null {
    return makeLink(this.raw, { write: (work) => this.write(work), counted: (to, work) => this.counted(to, work) })
  }

  proposeBase(id: string): BaseContent | null {
    return this.counted(wholeTo(this.raw), (raw) => proposeBase(raw, id))
  }

  propose(id: string, hasContent: boolean): void {
    this.raw.run(`UPDATE cluster_position SET proposed = ?${hasContent ? '' : ', made_to = NULL'}`, [id])
  }

  linked(place: LinkPlace): void {
    this.write(() => {
      const { proposed, madeTo } = knownPosition(this.raw)
      if (proposed === place.id && madeTo !== null) endMarks(this.raw, madeTo)
      // What a leader held that had not heard of this link may be all in it.
      if (isFollowing(this) && !hasUnlinked(this.raw)) this.raw.run('UPDATE cluster_position SET is_apart = 0')
      moveTo(this.raw, place, this.oldLinks.note(place))
    })
  }

  async apply(link: Link): Promise<void> {
    if (!isNext(this.connection, link, this.schema)) return
    const lines = link.kind === 'rows' ? decodeLink(link.body) : []
    await this.removeAsLeader(removalsIn(lines))
    this.write(() => putLink(this.connection, lines, { link, oldTo: this.oldLinks.note(link) }))
  }

  async carryOut(): Promise<void> {
    if (isFollowing(this) && unfinishedRemovals(this).length > 0) await this.removeAccounts()
  }

  sums(): Promise<Sums> | null {
    return beginSums(this.options.databaseFile)
  }

  stopDelivering(): void {
    if (isFollowing(this)) return
    this.write(() => {
      this.raw.run('UPDATE cluster_position SET is_apart = ?', [hasUnlinked(this.raw) ? 1 : 0])
      // What this node has taken and not processed yet is in no link. If it leads again, nobody else has delivered that.
      beginFollowing(this, lastEntry(this.raw) + 1)
    })
  }

  startDelivering(): boolean {
    return this.write(() => {
      if (processedTo(this) < lastEntry(this.raw)) return false
      if (isFollowing(this)) removeRowsAhead(this.raw)
      endFollowing(this)
      return true
    })
  }

  close(): void {
    this.batches.close()
    this.raw.close()
  }

  /** On a connection that checks references: a removal deletes by them too. */
  private async removeAsLeader(removals: LinkedRemovals | null): Promise<void> {
    if (removals === null) return
    const { databaseFile, clock, removeContent } = this.options
    const connection = openConnection(databaseFile)
    const file = new DatabaseFile(databaseFile)
    try {
      while (processedTo(connection) < lastEntry(connection.raw)) await Bun.sleep(processingLookMs)
      const removal = new FollowedRemoval({ connection, file, clock, removeContent })
      while (!(await removal.remove(removals)));
    } finally {
      file.close()
      connection.raw.close()
    }
  }

  /** With all that a removal deletes by reference. */
  private async removeAccounts(): Promise<void> {
    const connection = openConnection(this.options.databaseFile)
    try {
      await finishAccountRemovals(connection)
    } finally {
      connection.raw.close()
    }
  }

  private counted<T>(to: number, work: (raw: Database) => T): T {
    return this.batches.counted(to, work, this.options.clock.now())
  }

  private write<T>(work: () => T): T {
    return writeTransaction(this.connection, work)
  }
}
