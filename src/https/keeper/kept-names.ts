import type { KeptName } from '../kept-name.ts'
import type { KeeperParts } from './parts.ts'
import { reconciled } from './reconcile.ts'
import type { StateNotices } from './state-notices.ts'
import { isForTrials } from './targets.ts'

/** What is kept of every name, read anew at each turn: commands change it too. */
export class KeptNames {
  private names = new Map<string, KeptName>()
  private owners = new Map<string, string>()
  private isFirst = true

  constructor(
    private readonly parts: Pick<KeeperParts, 'store' | 'configured' | 'whyNotPublic' | 'directories' | 'clock'>,
    private readonly notices: StateNotices,
  ) {}

  /** Reads names and configuration, and brings the first in line with the second. */
  async refresh(): Promise<void> {
    const { store, configured, whyNotPublic, clock } = this.parts
    const wanted = await configured()
    const kept = (await store.names()).map((name) => this.withTrialsDue(name))
    if (this.isFirst) for (const name of kept) this.notices.know(name)
    this.isFirst = false
    // Nothing is awaited between reading and taking over: what work under way writes meanwhile comes after.
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

  /** Id of the account whose domain it is; `''`: the box itself. */
  ownerOf(host: string): string {
    return this.owners.get(host) ?? ''
  }

  /** Keeps a name as it is now. @param isNews whether the log tells of it */
  async change(name: KeptName, { isNews }: { isNews: boolean }): Promise<void> {
    if (Bun.deepEquals(this.names.get(name.host), name)) return
    await this.parts.store.keepNames([name])
    this.take(name, { isNews })
  }

  /** Takes over what is on disk already. */
  take(name: KeptName, { isNews }: { isNews: boolean }): void {
    this.names.set(name.host, name)
    if (isNews) this.notices.note(name)
  }

  /** A certificate from the time when a directory for trials was configured is replaced at once. */
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
