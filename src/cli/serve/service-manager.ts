import { supervision } from '../../config/environment.ts'
import { type Notifier, openNotifier } from '../../lib/sd-notify.ts'
import type { Session } from '../session.ts'

/** Time that a migration is given at least, and more for each megabyte: its snapshot is written and read back. */
const migrationMs = 5 * 60_000
const migrationMsPerMegabyte = 1000

/**
 * Who started the service and watches it: systemd, where the unit says `Type=notify` (sd_notify(3)). Without one, nobody
 * listens and nothing is sent.
 */
export class ServiceManager {
  /** What was heard of `STATUS=` last. */
  private status = ''
  private ready = false

  constructor(
    private readonly notifier: Notifier | null,
    /** How often it wants to hear from the service at least; `null`: it does not watch. */
    readonly watchdogMs: number | null,
  ) {}

  get isWatching(): boolean {
    return this.notifier !== null
  }

  get isReady(): boolean {
    return this.ready
  }

  /** Before a database of so many bytes is migrated, during which nothing else can be said. */
  migrating(databaseBytes: number): void {
    const ms = migrationMs + Math.ceil(databaseBytes / 2 ** 20) * migrationMsPerMegabyte
    this.send(`EXTEND_TIMEOUT_USEC=${ms * 1000}`, 'STATUS=Bringing the database up to date')
  }

  /** Says that the service answers, and from then on only what is new. What did not arrive is said again. */
  serving(status: string): void {
    if (this.ready && status === this.status) return
    if (!this.send(...(this.ready ? [] : ['READY=1']), `STATUS=${status}`)) return
    this.ready = true
    this.status = status
  }

  alive(): void {
    this.send('WATCHDOG=1')
  }

  reloading(): void {
    if (this.notifier === null || !this.ready) return
    this.send('RELOADING=1', `MONOTONIC_USEC=${this.notifier.monotonicUsec()}`)
  }

  reloaded(): void {
    if (this.ready) this.send('READY=1')
  }

  /** From now on the process with this id is the service, and speaks for it; what this one says is not heard any more. */
  handedOver(pid: number): void {
    this.send(`MAINPID=${pid}`)
    this.ready = false
    this.status = ''
  }

  stopping(): void {
    this.send('STOPPING=1')
  }

  private send(...assignments: string[]): boolean {
    return this.notifier?.send(assignments.join('\n')) ?? false
  }
}

/** The manager that the environment names. */
export function serviceManager({ env }: Pick<Session, 'env'>): ServiceManager {
  const { notifySocket, watchdogMs } = supervision(env, process.pid)
  return new ServiceManager(notifySocket === null ? null : openNotifier(notifySocket), watchdogMs)
}
