import type { ChallengeSpend } from '../capture/write-batch.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { Seal } from '../lib/seal.ts'
import { sign } from '../lib/sign.ts'
import type { ClusterLog, IntakeBatch, LeaseCandidate, Link, LinkPlace } from './cluster-log.ts'

/**
 * Seals what goes through a log under the cluster's secret, so that the database holds nothing readable. A body opens
 * only with the columns beside it as they were.
 *
 * Each body has a key of its own: a cluster would seal more than 2^32 under one (NIST SP 800-38D section 8.3).
 */
export class SealedLog implements ClusterLog {
  constructor(
    private readonly log: ClusterLog,
    private readonly secret: Uint8Array,
  ) {}

  put(batch: IntakeBatch, spends: readonly ChallengeSpend[], withinMs: number): Promise<boolean[]> {
    const sealed = { ...batch, body: this.sealed(batch.body, batchPlace(batch)) }
    return this.log.put(
      sealed,
      spends.map((spend) => ({ ...spend, challenge: this.hidden(spend) })),
      withinMs,
    )
  }

  async take(except: readonly string[]): Promise<IntakeBatch[]> {
    const batches = await this.log.take(except)
    return batches.map((batch) => ({ ...batch, body: this.opened(batch.body, batchPlace(batch)) }))
  }

  link(link: Link, run: string): Promise<'stored' | 'fenced' | 'elsewhere'> {
    return this.log.link({ ...link, body: this.sealed(link.body, linkPlace(link)) }, run)
  }

  async links(after: LinkPlace | null): Promise<Link[] | 'elsewhere'> {
    const links = await this.log.links(after)
    if (links === 'elsewhere') return links
    return links.map((link) => ({ ...link, body: this.opened(link.body, linkPlace(link)) }))
  }

  lease(candidate: LeaseCandidate | null) {
    return this.log.lease(candidate)
  }

  /** Equal challenges stay equal, and nothing else shows. */
  private hidden({ accountId, challenge }: ChallengeSpend): string {
    return sign(this.secret, placeOf('challenge', accountId, challenge))
  }

  private sealed(body: Uint8Array, place: string): Uint8Array {
    return this.sealFor(place).sealBytes(body, place)
  }

  private opened(body: Uint8Array, place: string): Uint8Array {
    try {
      return this.sealFor(place).openBytes(body, place)
    } catch {
      throw new OperatorError(
        'What the cluster’s database holds does not open with the secret of this node. Is it the same on every node?',
      )
    }
  }

  private sealFor(place: string): Seal {
    return new Seal(Buffer.from(sign(this.secret, place), 'base64url'))
  }
}

/** On disk: never change it. */
const placeOf = (...parts: (string | number | string[] | null)[]): string =>
  `capture cluster 1\n${JSON.stringify(parts)}`

const batchPlace = ({ id, node, format, entries }: IntakeBatch): string => placeOf('batch', id, node, format, entries)

const linkPlace = ({ number, id, previous, term, schema, kind, taken }: Link): string =>
  placeOf('link', number, id, previous, term, schema, kind, taken)
