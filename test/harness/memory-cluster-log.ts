import type { ChallengeSpend } from '../../src/capture/write-batch.ts'
import {
  batchBytesMax,
  type ClusterLog,
  type ClusterOverview,
  type IntakeBatch,
  type KeptPlace,
  type Lease,
  type LeaseCandidate,
  type Link,
  type LinkPlace,
  leaseMs,
  linkBytesMax,
  type NodeNews,
  readBytesMax,
  takenBatchesMax,
} from '../../src/cluster/cluster-log.ts'

/** A cluster's log in memory, for tests of what is built on it. All nodes use the same. */
export class MemoryClusterLog implements ClusterLog {
  private intake: IntakeBatch[] = []
  private chain: (Link & { atMs: number })[] = []
  /** The batch that spent each challenge. */
  private readonly spent = new Map<string, string>()
  /** How far it has each file of a node's spool. */
  private readonly kept = new Map<string, number>()
  private readonly nodes = new Map<string, NodeNews & { seenAt: number }>()
  private held: Omit<Lease, 'leftMs'> | null = null
  private untilMs = Number.NEGATIVE_INFINITY

  constructor(private readonly nowMs: () => number) {}

  async put(batch: IntakeBatch, spends: readonly ChallengeSpend[]): Promise<boolean[]> {
    if (batch.body.byteLength > batchBytesMax) throw new RangeError('the batch is too large for a cluster')
    if (!this.intake.some(({ id }) => id === batch.id)) this.intake.push(structuredClone(batch))
    const seen = new Set<string>()
    return spends.map(({ accountId, challenge }) => {
      const key = `${accountId} ${challenge}`
      if (!this.spent.has(key)) this.spent.set(key, batch.id)
      const isFirst = !seen.has(key)
      seen.add(key)
      return isFirst && this.spent.get(key) === batch.id
    })
  }

  async putKept(batch: IntakeBatch, spends: readonly ChallengeSpend[], { file, from, to }: KeptPlace): Promise<number> {
    const through = this.kept.get(file) ?? 0
    if (through !== from) return through
    this.kept.set(file, to)
    await this.put(batch, spends)
    return to
  }

  async forgetKept(file: string): Promise<void> {
    this.kept.set(file, Number.MAX_SAFE_INTEGER)
  }

  async take(except: readonly string[]): Promise<IntakeBatch[]> {
    const visible = this.intake.filter(({ id }) => !except.includes(id)).slice(0, takenBatchesMax)
    return structuredClone(fitting(visible))
  }

  async link(link: Link, run: string): Promise<'stored' | 'fenced' | 'elsewhere'> {
    if (link.body.byteLength > linkBytesMax) throw new RangeError('the link is too large')
    if (this.isAt(link)) return 'stored'
    if (this.held?.run !== run || this.held.term !== link.term) return 'fenced'
    const end = this.chain.at(-1)
    if (link.number !== (end?.number ?? 0) + 1 || link.previous !== (end?.id ?? null)) return 'elsewhere'
    this.chain.push({ ...structuredClone(link), atMs: this.nowMs() })
    this.intake = this.intake.filter(({ id }) => !link.taken.includes(id))
    return 'stored'
  }

  async links(after: LinkPlace | null): Promise<Link[] | 'elsewhere'> {
    const next = this.chain.filter(({ number }) => number > (after?.number ?? 0))
    const [first] = next
    if (first === undefined) return after === null || this.isAt(after) ? [] : 'elsewhere'
    if (first.previous !== (after?.id ?? null) || first.number !== (after?.number ?? 0) + 1) return 'elsewhere'
    return fitting(next).map(linkOf)
  }

  async base(): Promise<Link | null> {
    const link = this.chain.findLast(({ kind }) => kind === 'base' || kind === 'rebase')
    return link === undefined ? null : linkOf(link)
  }

  async forget(through: number, olderThanMs: number): Promise<void> {
    const end = this.chain.at(-1)
    const isOld = (link: { number: number; atMs: number }) =>
      link.number <= through && link.atMs < this.nowMs() - olderThanMs
    this.chain = this.chain.filter((link) => link === end || !isOld(link))
  }

  async lease(candidate: LeaseCandidate | null): Promise<Lease | null> {
    const now = this.nowMs()
    if (candidate !== null) {
      const { succeeds, ...shown } = candidate
      const isOurs = this.held?.run === candidate.run
      const isFree = this.untilMs < now && [null, candidate.node].includes(this.held?.nominee ?? null)
      const hasEnded = this.held?.hasEnded ?? false
      if (!hasEnded && (isOurs || this.held?.run === succeeds || isFree || this.untilMs < now - leaseMs)) {
        const named = isOurs ? (this.held?.nominee ?? null) : null
        const nominee = named === candidate.node ? null : named
        this.held = { ...shown, nominee, hasEnded, term: (this.held?.term ?? 0) + (isOurs ? 0 : 1) }
        this.untilMs = now + leaseMs
      }
    }
    return this.held === null ? null : { ...this.held, leftMs: this.untilMs - now }
  }

  async release(run: string): Promise<void> {
    if (this.held?.run === run) this.untilMs = Math.min(this.untilMs, this.nowMs() - 1)
  }

  async nominate(node: string | null): Promise<void> {
    if (this.held !== null) this.held.nominee = node
  }

  async end(run: string): Promise<boolean> {
    if (this.held?.run !== run) return false
    this.held.hasEnded = true
    return true
  }

  async dismiss(node: string): Promise<void> {
    this.nodes.delete(node)
  }

  async announce(node: NodeNews): Promise<string | null> {
    const before = this.nodes.get(node.name)?.certificate ?? null
    this.nodes.set(node.name, { ...node, seenAt: this.nowMs() })
    return before
  }

  async overview(): Promise<ClusterOverview> {
    const now = this.nowMs()
    const nodes = [...this.nodes.values()]
      .map((node) => ({ ...node, skewMs: 0, silentMs: now - node.seenAt }))
      .sort((one, other) => (one.name < other.name ? -1 : 1))
    return { nodes, end: this.chain.length, oldestWaitsMs: this.intake.length === 0 ? null : 0 }
  }

  /** As after a failover to a standby that had not got everything. */
  loseEnd(): void {
    this.chain.pop()
  }

  private isAt({ number, id }: LinkPlace): boolean {
    return this.chain.some((link) => link.number === number && link.id === id)
  }
}

const linkOf = ({ atMs: _, ...link }: Link & { atMs: number }): Link => structuredClone(link)

/** As much as is read at once; the first always. */
function fitting<T extends { body: Uint8Array }>(rows: readonly T[]): T[] {
  let before = 0
  return rows.filter(({ body }) => {
    const fits = before < readBytesMax
    before += body.byteLength
    return fits
  })
}
