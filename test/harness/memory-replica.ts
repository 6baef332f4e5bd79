import { decodeBatches } from '../../src/cluster/cluster-committer.ts'
import { type IntakeBatch, type Link, type LinkPlace, linkBytesMax } from '../../src/cluster/cluster-log.ts'
import {
  type BaseContent,
  LinkOutOfOrder,
  type Replica,
  type ReplicaPosition,
  type Sums,
} from '../../src/cluster/replica.ts'

/** A node's database as lines in memory, for tests of what leads and follows. */
export class MemoryReplica implements Replica {
  readonly schema = 1
  /** What was committed, in its order. */
  readonly lines: string[] = []
  /** How many of them processing has been past; what is beyond does not go into a link. */
  processed = Number.POSITIVE_INFINITY
  delivers = true
  /** Whether something has changed that no link carries. */
  unlinkable = false
  private isProposed = false
  /** In place of what it derives from the lines. */
  wrong: string | null = null
  private place: ReplicaPosition | null = null
  private taken = new Map<string, number>()
  private linkedLines = 0
  private made = 0

  position(): ReplicaPosition | null {
    return this.place
  }

  found(cluster: string): void {
    this.place = { cluster, place: null, proposed: null, linkedTo: 0, run: null }
  }

  join(): void {}

  leadAs(run: string | null): void {
    if (this.place !== null) this.place = { ...this.place, run }
  }

  takenIds(): string[] {
    return [...this.taken].filter(([, end]) => end > this.linkedLines).map(([id]) => id)
  }

  commit(batches: readonly IntakeBatch[]): void {
    for (const { id, body } of batches.filter(({ id }) => !this.taken.has(id))) {
      for (const { entries } of decodeBatches(body)) if (entries !== '') this.lines.push(...entries.split('\n'))
      this.taken.set(id, this.lines.length)
    }
  }

  nextLink(): { body: Uint8Array; taken: string[]; isWhole: boolean } | 'base' | null {
    if (this.unlinkable) return 'base'
    this.made = Math.min(this.lines.length, this.processed)
    const taken = [...this.taken].filter(([, end]) => end <= this.made && end > this.linkedLines).map(([id]) => id)
    const lines = this.lines.slice(this.linkedLines, this.made)
    if (lines.length === 0) return null
    const body = new Uint8Array(Buffer.from(JSON.stringify({ taken, lines })))
    return { body, taken, isWhole: body.byteLength < linkBytesMax }
  }

  proposeBase(id: string): BaseContent | null {
    if (this.processed < this.lines.length) return null
    const taken = [...this.taken].filter(([, end]) => end > this.linkedLines).map(([batch]) => batch)
    this.made = this.lines.length
    this.isProposed = true
    if (this.place !== null) this.place = { ...this.place, proposed: id }
    return { to: this.lines.length, taken }
  }

  propose(id: string, hasContent: boolean): void {
    if (!hasContent) this.made = this.linkedLines
    if (this.place !== null) this.place = { ...this.place, proposed: id }
  }

  linked(place: LinkPlace): void {
    if (this.isProposed && place.id === this.place?.proposed) this.unlinkable = this.isProposed = false
    this.linkedLines = this.made
    if (this.place !== null) this.place = { ...this.place, place, proposed: null, linkedTo: this.linkedLines }
  }

  lastSequence(): number {
    return this.lines.length
  }

  hasUnlinked(): boolean {
    return this.unlinkable || this.lines.length > this.linkedLines
  }

  async apply({ number, id, previous, kind, body }: Link): Promise<void> {
    if (previous !== this.place?.place?.id) throw new LinkOutOfOrder()
    if (kind === 'rows') {
      const { taken, lines } = JSON.parse(Buffer.from(body).toString()) as { taken: string[]; lines: string[] }
      this.lines.push(...lines)
      for (const id of taken) this.taken.set(id, this.lines.length)
    }
    this.linkedLines = this.made = this.lines.length
    const { cluster = '', run = null } = this.place ?? {}
    this.place = { cluster, place: { number, id }, proposed: null, linkedTo: this.made, run }
  }

  /** As a folder that was joined from a copy of another. */
  copyOf({ lines, place, linkedLines }: MemoryReplica): this {
    this.lines.push(...lines)
    this.place = place && { ...place, run: null }
    this.linkedLines = this.made = linkedLines
    return this
  }

  async carryOut(): Promise<void> {}

  sums(): Promise<Sums> | null {
    if (this.processed < this.lines.length || this.linkedLines < this.lines.length) return null
    return Promise.resolve({ lines: this.wrong ?? this.lines.join(' '), others: '' })
  }

  stopDelivering(): void {
    this.delivers = false
  }

  startDelivering(): boolean {
    this.delivers = true
    return true
  }

  close(): void {}
}
