import type { ChallengeSpend } from '../capture/write-batch.ts'
import { isSameText, macCharacters } from '../lib/sign.ts'
import type {
  ClusterLog,
  ClusterOverview,
  IntakeBatch,
  KeptPlace,
  Lease,
  LeaseCandidate,
  Link,
  LinkPlace,
  NodeNews,
} from './cluster-log.ts'
import { ClusterSeal, placeOf } from './cluster-seal.ts'

/**
 * Seals what goes through a log under the cluster's secret, so that the database holds nothing readable. A body opens
 * only with the columns beside it as they were.
 */
export class SealedLog implements ClusterLog {
  private readonly seal: ClusterSeal
  private isProven = false

  constructor(
    private readonly log: ClusterLog,
    secret: Uint8Array,
  ) {
    this.seal = new ClusterSeal(secret)
  }

  async put(batch: IntakeBatch, spends: readonly ChallengeSpend[], withinMs: number): Promise<boolean[]> {
    await this.proveSecret()
    return this.log.put(this.sealed(batch), this.hiddenSpends(spends), withinMs)
  }

  async putKept(batch: IntakeBatch, spends: readonly ChallengeSpend[], place: KeptPlace): Promise<number> {
    await this.proveSecret()
    return this.log.putKept(this.sealed(batch), this.hiddenSpends(spends), place)
  }

  forgetKept(file: string): Promise<void> {
    return this.log.forgetKept(file)
  }

  async take(except: readonly string[]): Promise<IntakeBatch[]> {
    const batches = await this.log.take(except)
    return batches.map((batch) => ({ ...batch, body: this.seal.open(batch.body, batchPlace(batch)) }))
  }

  link(link: Link, run: string): Promise<'stored' | 'fenced' | 'elsewhere'> {
    return this.log.link({ ...link, body: this.seal.seal(link.body, linkPlace(link)) }, run)
  }

  async links(after: LinkPlace | null): Promise<Link[] | 'elsewhere'> {
    const links = await this.log.links(after)
    if (links === 'elsewhere') return links
    return links.map((link) => this.opened(link))
  }

  async base(): Promise<Link | null> {
    const link = await this.log.base()
    return link && this.opened(link)
  }

  forget(through: number, olderThanMs: number): Promise<void> {
    return this.log.forget(through, olderThanMs)
  }

  private opened(link: Link): Link {
    return { ...link, body: this.seal.open(link.body, linkPlace(link)) }
  }

  async lease(candidate: LeaseCandidate | null): Promise<Lease | null> {
    const lease = await this.log.lease(candidate && this.signed(candidate, candidate.node))
    return lease && this.checked(lease, lease.node)
  }

  release(run: string): Promise<void> {
    return this.log.release(run)
  }

  nominate(node: string | null): Promise<void> {
    return this.log.nominate(node)
  }

  end(run: string): Promise<boolean> {
    return this.log.end(run)
  }

  dismiss(node: string): Promise<void> {
    return this.log.dismiss(node)
  }

  async announce(node: NodeNews): Promise<string | null> {
    const before = await this.log.announce(this.signed(node, node.name))
    return before === null ? null : this.checked({ certificate: before }, node.name).certificate
  }

  async overview(): Promise<ClusterOverview> {
    const overview = await this.log.overview()
    return { ...overview, nodes: overview.nodes.map((node) => this.checked(node, node.name)) }
  }

  /** Whoever can write to the database must not be able to pass for a node. */
  private signed<T extends { certificate: string }>(shown: T, node: string): T {
    return { ...shown, certificate: this.mac(node, shown.certificate) + shown.certificate }
  }

  private checked<T extends { certificate: string }>(shown: T, node: string): T {
    const certificate = shown.certificate.slice(macCharacters)
    const isSigned = isSameText(this.mac(node, certificate), shown.certificate.slice(0, macCharacters))
    return { ...shown, certificate: isSigned ? certificate : '' }
  }

  private mac(node: string, certificate: string): string {
    return this.seal.hidden(placeOf('certificate', node, certificate))
  }

  /** One batch that the leader cannot open would hold up those of all nodes. A founder has no base yet, and nobody to differ from. */
  private async proveSecret(): Promise<void> {
    if (this.isProven) return
    await this.base()
    this.isProven = true
  }

  private sealed(batch: IntakeBatch): IntakeBatch {
    return { ...batch, body: this.seal.seal(batch.body, batchPlace(batch)) }
  }

  /** Equal challenges stay equal, and nothing else shows. */
  private hiddenSpends(spends: readonly ChallengeSpend[]): ChallengeSpend[] {
    return spends.map(({ accountId, challenge, expiresAt }) => ({
      ...{ accountId, expiresAt },
      challenge: this.seal.hidden(placeOf('challenge', accountId, challenge)),
    }))
  }
}

const batchPlace = ({ id, node, format, entries }: IntakeBatch): string => placeOf('batch', id, node, format, entries)

const linkPlace = ({ number, id, previous, term, schema, kind, taken }: Link): string =>
  placeOf('link', number, id, previous, term, schema, kind, taken)
