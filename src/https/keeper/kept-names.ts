import type { KeptName } from '../kept-name.ts'
import { reconciled } from './due.ts'
import type { KeeperParts } from './parts.ts'
import type { StateNotices } from './state-notices.ts'
import { isForTrials } from './targets.ts'

/** The stored state of every name, reloaded at each turn because commands change it too. */
export class KeptNames {
  private names = new Map<string, KeptName>()
  private owners = new Map<string, string>()
  private isFirst = true

  constructor(
    private readonly parts: Pick<KeeperParts, 'store' | 'configured' | 'whyNotPublic' | 'directories' | 'clock'>,
    private readonly notices: StateNotices,
  ) {}

  /** Reloads names and configuration, and makes the names match. */
  async refresh(): Promise<void> {
    const { store, configured, whyNotPublic, clock } = this.parts
    const wanted = await configured()
    const kept = (await store.names()).map((name) => this.withTrialsDue(name))
    if (this.isFirst) for (const name of kept) this.notices.know(name)
    this.isFirst = false
    // No await between reading and applying, so that writes of concurrent work come after.
    const changed = reconciled(kept, wanted, { whyNotPublic, now: clock.now() })
    this.owners = new Map(wanted.map(({ host, accountId }) => [host, accountId]))
    this.names = new Map([...kept, ...changed].map((name) => [name.host, name]))
    if (changed.length > 0) await store.keepNames(changed)
    for (const name of changed) this.tell(name)
  }

  get all(): KeptName[] {
    return [...this.names.values()]
  }

  of(host: string): KeptName | null {
    return this.names.get(host) ?? null
  }

  /** Id of the account that owns the domain; `''`: the box. */
  ownerOf(host: string): string {
    return this.owners.get(host) ?? ''
  }

  /** Stores a name's new state. @param isNews whether to log it */
  async change(name: KeptName, { isNews }: { isNews: boolean }): Promise<void> {
    if (Bun.deepEquals(this.names.get(name.host), name)) return
    await this.parts.store.keepNames([name])
    this.take(name, { isNews })
  }

  /** Applies a state that is already on disk. */
  take(name: KeptName, { isNews }: { isNews: boolean }): void {
    this.names.set(name.host, name)
    if (isNews) this.notices.note(name)
  }

  /** Makes a certificate from a formerly configured staging directory due for replacement. */
  private withTrialsDue(name: KeptName): KeptName {
    const { certificate } = name
    if (certificate === null || !isForTrials(certificate.directory, this.parts.directories)) return name
    return { ...name, certificate: { ...certificate, renewAt: Math.min(certificate.renewAt, certificate.notBefore) } }
  }

  private tell(name: KeptName): void {
    if (name.removedAt !== null) this.notices.forget(name.host)
    else if (name.state === 'off' || name.state === 'active') this.notices.note(name)
  }
}
