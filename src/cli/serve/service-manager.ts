import { supervision } from '../../config/environment.ts'
import { type Notifier, openNotifier } from '../../lib/sd-notify.ts'
import type { Session } from '../session.ts'

/** The minimum time for a migration, and more per megabyte for writing and verifying its snapshot. */
const migrationMs = 5 * 60_000
const migrationMsPerMegabyte = 1000

/**
 * The service manager that started the service: systemd with `Type=notify` (sd_notify(3)). Without one nothing is sent.
 */
export class ServiceManager {
  /** What was heard of `STATUS=` last. */
  private status = ''
  private ready = false

  constructor(
    private readonly notifier: Notifier | null,
    /** The watchdog's interval; `null`: no watchdog. */
    readonly watchdogMs: number | null,
  ) {}

  get isWatching(): boolean {
    return this.notifier !== null
  }

  get isReady(): boolean {
    return this.ready
  }

  /** Announces the migration of a database of this size, during which no other message can be sent. */
  migrating(databaseBytes: number): void {
    const ms = migrationMs + Math.ceil(databaseBytes / 2 ** 20) * migrationMsPerMegabyte
    this.send(`EXTEND_TIMEOUT_USEC=${ms * 1000}`, 'STATUS=Migrating the database')
  }

  /** Announces readiness, and afterwards only changes. Undelivered messages are repeated. */
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

  /** Makes the process with this id the service. The manager ignores this process from now on. */
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

/** The service manager in the environment. */
export function serviceManager({ env }: Pick<Session, 'env'>): ServiceManager {
  const { notifySocket, watchdogMs } = supervision(env, process.pid)
  return new ServiceManager(notifySocket === null ? null : openNotifier(notifySocket), watchdogMs)
}
