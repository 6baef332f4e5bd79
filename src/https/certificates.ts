import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { type CertificatePair, checkedPair, expiryFault, nearestValid, type PairText } from './certificate-pair.ts'

export interface CertificateSource {
  /**
   * The host's current pair; `null`: none. `fault`: the pair is incomplete or unreadable, in words that continue a sentence
   * naming the host.
   */
  read(host: string): Promise<PairText | { fault: string } | null>
}

interface CertificatesParts {
  source: CertificateSource
  /**
   * Whether the box ordered these pairs itself. Such a pair is used even when the machine's clock says that it is not valid: the
   * clock may be wrong, and visitors would get nothing better instead.
   */
  areOwn?: boolean
  clock: Pick<Clock, 'now'>
  log: Pick<Log, 'warn'>
}

/**
 * The certificates in use, one per host. A pair is used once it passes its checks. If its files break later, the last good pair
 * stays in use, so that an operator's mistake affects no visitor. Each fault is logged once, with its host.
 */
export class Certificates {
  private pairByHost = new Map<string, CertificatePair>()
  private faults = new Map<string, string>()

  constructor(private readonly parts: CertificatesParts) {}

  get pairs(): CertificatePair[] {
    return [...this.pairByHost.values()]
  }

  /**
   * Checks the pairs of exactly these hosts. Resolves to whether the pairs in use have changed.
   *
   * @param changed hosts whose pair may have changed; absent: all
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
      : 'Until it is fixed, browsers warn visitors of this host over https.'
    this.parts.log.warn(`The certificate of ${host} cannot be used: ${fault}. ${instead}`, { host })
  }
}
