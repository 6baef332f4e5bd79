import { inTime } from '../../lib/in-time.ts'
import type { Log } from '../../lib/log.ts'
import type { ControlConnection, Message } from './control-socket.ts'
import type { PortsInUse } from './ports.ts'
import type { ServiceManager } from './service-manager.ts'

/** Counted from its start, or from the request to hand over. */
const readyMsMax = 60_000
/** A migration writes and verifies a snapshot and rewrites tables. The service manager gets the same extension. */
const migrationMs = 5 * 60_000
const migrationMsPerMegabyte = 1000
const beatMsMax = 5000
/** How long it may take to answer those who came to it. */
const leavingMsMax = 10_000
/** A new process that is silent for so many beats counts as hanging. They are counted, because a clock goes on while the machine sleeps. */
const silentBeatsMax = 6

interface SuccessorParts {
  connection: ControlConnection
  pid: number
  /** The new process, if this one started it. */
  child: Bun.Subprocess | null
  /** The command that requested the upgrade and wants its outcome. */
  asker: ControlConnection | null
  /** How long this process stands by after the other is ready. */
  watchMs: number
  /** On the monotonic clock. */
  startedAtMs: number
  monotonicMs: () => number
  log: Log
  /** How long to wait for each sign of life. */
  beatMs?: number
}

/** The outcome. `why`: the reason for failure. `snapshot`: the database before its migration. */
type Outcome = { isService: true } | { isService: false; why: string; snapshot: string | null }

/** The process that takes over, as seen by the one that hands over. */
export class Successor {
  /** Resolves when the last connection of the process that hands over has ended. */
  connectionsEnd: Promise<void> = Promise.resolve()
  /** Ends what the console of the process that hands over is still at. */
  stopConsole: () => Promise<void> = async () => {}
  ports: PortsInUse = {}
  private snapshot: string | null = null
  /** It has released the data folder, and keeps the requests that reach it until this process serves. */
  private gaveUp = false

  constructor(private readonly parts: SuccessorParts) {}

  get pid(): number {
    return this.parts.pid
  }

  get isWaiting(): boolean {
    return !this.parts.connection.isClosed
  }

  signal(name: NodeJS.Signals): void {
    this.parts.child?.kill(name)
  }

  /** Forwards a signal meant for the service and waits for its end, if this process started it. */
  async stop(name: NodeJS.Signals, msMax: number): Promise<void> {
    const { child } = this.parts
    child?.kill(name)
    if (child !== null) await inTime(child.exited, msMax)
  }

  /** Announces that the data folder is free, and stands by until the other process is the service or has failed. */
  async succeeds(manager: ServiceManager): Promise<Outcome> {
    const { connection, asker } = this.parts
    const outcome = await this.standBy(manager)
    if (outcome.isService) {
      // First, so that the manager already listens to the new process.
      manager.handedOver(this.pid)
      connection.send({ say: 'yours' })
      asker?.send({ say: 'yours' })
      return outcome
    }
    if (!this.gaveUp) await this.end()
    return outcome
  }

  /** Lets a process that gave up go, now that this one serves again, and tells the requesting command. */
  async dismiss(why: string): Promise<void> {
    const { connection, asker, child } = this.parts
    asker?.send({ say: 'failed', why })
    connection.close()
    if (child !== null && (await inTime(child.exited, leavingMsMax)) === 'late') await this.end()
  }

  private async standBy(manager: ServiceManager): Promise<Outcome> {
    const { connection, asker, watchMs, log } = this.parts
    const beating = manager.watchdogMs === null ? null : setInterval(() => manager.alive(), manager.watchdogMs / 3)
    try {
      connection.send({ say: 'free' })
      const fault = await this.untilReady()
      if (fault !== null) return this.failed(fault)
    } finally {
      clearInterval(beating ?? undefined)
    }
    log.info('The new process serves.', { pid: this.pid })
    asker?.send({ say: 'ready' })
    // This version cannot read the database in which the new one has stored records since then.
    if (this.snapshot !== null) return { isService: true }
    const fault = await this.untilWatched(manager, watchMs)
    return fault === null ? { isService: true } : this.failed(fault)
  }

  private failed(why: string): Outcome {
    return { isService: false, why, snapshot: this.snapshot }
  }

  private gaveUpFor(why: string): string {
    this.gaveUp = true
    return why
  }

  /** Why it did not become ready; `null`: it did. */
  private async untilReady(): Promise<string | null> {
    const { connection, startedAtMs, monotonicMs } = this.parts
    let deadlineMs = startedAtMs + readyMsMax
    for (;;) {
      const message = await inTime(connection.next(), deadlineMs - monotonicMs())
      if (message === 'late') return `it was not ready within ${readyMsMax / 1000} s`
      if (message === null) return 'it ended before it was ready'
      if (message.say === 'ready') return null
      if (message.say === 'failed') return this.gaveUpFor(message.why)
      if (message.say === 'migrating') {
        deadlineMs += migrationMs + message.megabytes * migrationMsPerMegabyte
        // What it writes is for the tables as they were.
        void this.stopConsole()
      }
      if (message.say === 'migrated') this.snapshot = message.snapshot
    }
  }

  /** Why the new process failed; `null`: it has served for long enough, or was asked to stop. */
  private async untilWatched(manager: ServiceManager, watchMs: number): Promise<string | null> {
    const { connection, monotonicMs, beatMs = beatMsMax } = this.parts
    const endsAtMs = monotonicMs() + watchMs
    let silentBeats = 0
    let next = connection.next()
    while (monotonicMs() < endsAtMs) {
      const message: Message | null | 'late' = await inTime(next, Math.min(beatMs, endsAtMs - monotonicMs()))
      if (message === null) return 'it ended'
      if (message === 'late') {
        silentBeats++
        if (silentBeats > silentBeatsMax) return `it could not store for ${(silentBeatsMax * beatMsMax) / 1000} s`
        continue
      }
      next = connection.next()
      silentBeats = 0
      if (message.say === 'failed') return this.gaveUpFor(message.why)
      if (message.say === 'stopping') return null
      if (message.say === 'alive') manager.alive()
    }
    return null
  }

  private async end(): Promise<void> {
    const { child, connection } = this.parts
    connection.close()
    if (child === null) return
    child.kill('SIGKILL')
    await child.exited
  }
}
