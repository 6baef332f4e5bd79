import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { type CertificatePair, checkedPair, expiryFault, nearestValid, type PairText } from './certificate-pair.ts'

/** Where certificates come from. */
export interface CertificateSource {
  /**
   * The host's pair as it is now; `null`: there is none; `fault`: half of it is there, or it cannot be read, in words that
   * continue a sentence that names the host.
   */
  read(host: string): Promise<PairText | { fault: string } | null>
}

interface CertificatesParts {
  source: CertificateSource
  /**
   * Pairs that the box has ordered itself. One that is not valid by the machine's clock is used nevertheless: the clock may be
   * wrong, and what visitors would be shown instead is no better. Absent: they are somebody else's.
   */
  areOwn?: boolean
  clock: Pick<Clock, 'now'>
  log: Pick<Log, 'warn'>
}

/**
 * The certificates in use, one a host. A pair is taken once it has been checked; one that breaks later keeps its last
 * good state, so that a slip of the hand costs no visitor anything. Each fault is logged once, with its host.
 */
export class Certificates {
  private pairByHost = new Map<string, CertificatePair>()
  private faults = new Map<string, string>()

  constructor(private readonly parts: CertificatesParts) {}

  get pairs(): CertificatePair[] {
    return [...this.pairByHost.values()]
  }

  /**
   * Looks at the pairs of these hosts alone, whatever else the source has. Answers whether those in use have changed.
   *
   * @param changed hosts that may have another pair than the one that is held; absent: each may
   */
  async look(hosts: readonly string[], changed?: ReadonlySet<string>): Promise<boolean> {
    const pairByHost = new Map<string, CertificatePair>()
    const faults = new Map<string, string>()
    for (const host of hosts) {
      const { pair, fault } = await this.lookAt(host, changed)
      if (pair !== undefined) pairByHost.set(host, pair)
      if (fault !== null) faults.set(host, fault)
    }
    const before = this.pairByHost
    this.pairByHost = pairByHost
    for (const [host, fault] of faults) if (this.faults.get(host) !== fault) this.warn(host, fault)
    this.faults = faults
    return before.size !== pairByHost.size || [...pairByHost].some(([host, pair]) => before.get(host) !== pair)
  }

  private async lookAt(
    host: string,
    changed: ReadonlySet<string> | undefined,
  ): Promise<{ pair: CertificatePair | undefined; fault: string | null }> {
    const known = this.pairByHost.get(host)
    if (known !== undefined && changed?.has(host) === false) return { pair: known, fault: null }
    const now = this.parts.clock.now()
    const found = await this.parts.source.read(host)
    if (found === null) return { pair: known, fault: known === undefined ? null : 'its files are gone' }
    if ('fault' in found) return { pair: known, fault: found.fault }
    if (known?.certificate === found.certificate && known.key === found.key) {
      return { pair: known, fault: expiryFault(known, now) }
    }
    const verdict = checkedPair(host, found, this.parts.areOwn ? nearestValid(found, now) : now)
    return 'fault' in verdict
      ? { pair: known, fault: verdict.fault }
      : { pair: verdict.pair, fault: expiryFault(verdict.pair, now) }
  }

  private warn(host: string, fault: string): void {
    const instead = this.pairByHost.has(host)
      ? 'The last good one stays in use.'
      : 'Until it is mended, browsers warn their visitors of this host over https.'
    this.parts.log.warn(`The certificate of ${host} cannot be used: ${fault}. ${instead}`, { host })
  }
}
