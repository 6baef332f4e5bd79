import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { KeptName } from '../kept-name.ts'

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
