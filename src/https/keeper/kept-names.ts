import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { KeptName } from '../certificate-store.ts'
import { reconciled } from './name-steps.ts'
import type { KeeperParts } from './parts.ts'
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

/** Limits the names in the same state with a line each; more share one line. */
const namesMax = 5
/** The minimum time between two lines for a changed reason, so that ever-changing DNS does not flood the log. */
const sameStateMs = 10 * 60_000

interface NoticesParts {
  log: Pick<Log, 'info' | 'warn'>
  clock: Pick<Clock, 'monotonicMs'>
}

/** Logs each change of a name's state once, and many simultaneous changes in one line. */
export class StateNotices {
  private readonly noted = new Map<string, string>()
  private readonly logged = new Map<string, { state: KeptName['state']; atMs: number }>()
  private waiting: KeptName[] = []

  constructor(private readonly parts: NoticesParts) {}

  /** Marks a state as logged by an earlier service. */
  know(name: KeptName): void {
    this.noted.set(name.host, matterOf(name))
  }

  note(name: KeptName): void {
    const matter = matterOf(name)
    if (this.noted.get(name.host) === matter) return
    this.noted.set(name.host, matter)
    this.waiting = [...this.waiting.filter(({ host }) => host !== name.host), name]
  }

  forget(host: string): void {
    this.noted.delete(host)
    this.logged.delete(host)
    this.waiting = this.waiting.filter((name) => name.host !== host)
  }

  /** Writes the collected changes. Returns whether there were many. */
  flush(): boolean {
    const atMs = this.parts.clock.monotonicMs()
    const due = this.waiting.filter((name) => this.isDue(name, atMs))
    this.waiting = this.waiting.filter((name) => !due.includes(name))
    for (const { host, state } of due) this.logged.set(host, { state, atMs })
    const groups = [...Map.groupBy(due, ({ state }) => state).values()]
    for (const names of groups) {
      if (names.length > namesMax) this.tellTogether(names)
      else for (const name of names) this.tell(name)
    }
    return groups.some(({ length }) => length > namesMax)
  }

  private isDue({ host, state }: KeptName, nowMs: number): boolean {
    const last = this.logged.get(host)
    return last?.state !== state || state === 'active' || nowMs - last.atMs >= sameStateMs
  }

  private tell(name: KeptName): void {
    const { log } = this.parts
    const { host, state, reason, certificate } = name
    const fields = { host, ...nextTry(name) }
    if (state === 'failing') log.warn(`No certificate could be had for ${host}: ${reason}`, fields)
    else if (state === 'waiting') log.warn(`${host} waits for a certificate: ${reason}`, fields)
    else if (state === 'off') log.info(`No certificate is ordered for ${host}: ${reason}`, fields)
    else if (certificate !== null) log.info(`${host} has a certificate.`, { host, ...certificateFields(certificate) })
  }

  private tellTogether(names: KeptName[]): void {
    const [first] = names
    if (first === undefined) return
    const shown = names.slice(0, namesMax).map(({ host }) => host)
    const message = `${names.length} names ${together[first.state]}: ${shown.join(', ')}, …; capture domain list shows each.`
    const isWell = first.state === 'active' || first.state === 'off'
    this.parts.log[isWell ? 'info' : 'warn'](message, { names: names.length })
  }
}

const together: Record<KeptName['state'], string> = {
  active: 'have certificates',
  waiting: 'wait for certificates',
  failing: 'could not be given certificates',
  off: 'are not public and get no certificates',
}

/** The identity of a line. A renewal is news; a new date of the next attempt is not. */
const matterOf = ({ state, reason, certificate }: KeptName): string =>
  JSON.stringify([state, reason, state === 'active' ? certificate?.serial : ''])

const nextTry = ({ nextTryAt }: KeptName): Record<string, string> =>
  nextTryAt === null ? {} : { nextTryAt: new Date(nextTryAt).toISOString() }

const certificateFields = ({ issuer, notAfter, renewAt }: NonNullable<KeptName['certificate']>) => ({
  issuer,
  notAfter: new Date(notAfter).toISOString(),
  renewAt: new Date(renewAt).toISOString(),
})
