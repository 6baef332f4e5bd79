import type { Log } from '../../lib/log.ts'
import type { PortsInUse } from '../serve/bound.ts'
import type { ServiceManager } from '../serve/service-manager.ts'
import { inTime } from './in-time.ts'
import type { Message, Wire } from './wire.ts'

/** From its start, or from the moment when a process was asked to hand over to it. */
const readyMsMax = 60_000
/** A migration writes a snapshot, reads it back, and rewrites tables: as much as the service manager is asked for. */
const migrationMs = 5 * 60_000
const migrationMsPerMegabyte = 1000
/** One that has not said for so long that it can store hangs. */
const silentMsMax = 30_000
const beatMsMax = 5000

export interface SuccessorParts {
  wire: Wire
  pid: number
  /** Its process, where this one has started it. */
  child: Bun.Subprocess | null
  /** Whoever asked for an upgrade, who hears how it goes. */
  asker: Wire | null
  /** How long this process stands by once the other is ready. */
  watchMs: number
  /** On the monotonic clock. */
  startedAtMs: number
  monotonicMs: () => number
  log: Log
}

/** How it went: `why` it is not the service now. `snapshot`: the database as it was before it was changed. */
export type Outcome = { isService: true } | { isService: false; why: string; snapshot: string | null }

/** The process that takes over, seen by the one that lets it. */
export class Successor {
  /** Resolves when the last download has ended. */
  downloadsEnd: Promise<void> = Promise.resolve()
  /** Where the process that lets it has listened. */
  ports: PortsInUse = {}
  private snapshot: string | null = null

  constructor(private readonly parts: SuccessorParts) {}

  get pid(): number {
    return this.parts.pid
  }

  /** Whether it is still there to take over. */
  get isWaiting(): boolean {
    return !this.parts.wire.isClosed
  }

  signal(name: NodeJS.Signals): void {
    this.parts.child?.kill(name)
  }

  /** Passes on a signal that means the service, and waits for its end, where this process has started it. */
  async stop(name: NodeJS.Signals, msMax: number): Promise<void> {
    const { child } = this.parts
    child?.kill(name)
    if (child !== null) await inTime(child.exited, msMax)
  }

  /** Says that the data folder is free, and stands by until the other is the service, or is none. */
  async succeeds(manager: ServiceManager): Promise<Outcome> {
    const { wire, asker } = this.parts
    const outcome = await this.standBy(manager)
    if (outcome.isService) {
      // First: what it says from then on is heard.
      manager.handedOver(this.pid)
      wire.send({ say: 'yours' })
      asker?.send({ say: 'yours' })
      return outcome
    }
    wire.close()
    await this.end()
    return outcome
  }

  /** Tells whoever asked for the upgrade that the service goes on as it was. */
  tellFailed(why: string): void {
    this.parts.asker?.send({ say: 'failed', why })
  }

  private async standBy(manager: ServiceManager): Promise<Outcome> {
    const { wire, asker, watchMs, log } = this.parts
    const beating = manager.watchdogMs === null ? null : setInterval(() => manager.alive(), manager.watchdogMs / 3)
    try {
      wire.send({ say: 'free' })
      const fault = await this.untilReady()
      if (fault !== null) return this.failed(fault)
    } finally {
      clearInterval(beating ?? undefined)
    }
    log.info('The other process serves.', { pid: this.pid })
    asker?.send({ say: 'ready' })
    // What it has stored since then is in a database that this version cannot read.
    if (this.snapshot !== null) return { isService: true }
    const fault = await this.untilWatched(manager, watchMs)
    return fault === null ? { isService: true } : this.failed(fault)
  }

  private failed(why: string): Outcome {
    return { isService: false, why, snapshot: this.snapshot }
  }

  /** Why it did not become ready; `null`: it did. */
  private async untilReady(): Promise<string | null> {
    const { wire, startedAtMs, monotonicMs } = this.parts
    let deadlineMs = startedAtMs + readyMsMax
    for (;;) {
      const message = await inTime(wire.next(), deadlineMs - monotonicMs())
      if (message === 'late') return `it was not ready within ${readyMsMax / 1000} s`
      if (message === null) return 'it ended before it was ready'
      if (message.say === 'ready') return null
      if (message.say === 'failed') return message.why
      if (message.say === 'migrating') deadlineMs += migrationMs + message.megabytes * migrationMsPerMegabyte
      if (message.say === 'migrated') this.snapshot = message.snapshot
    }
  }

  /** Why it is no longer the service; `null`: it has been for long enough, or was told to stop. */
  private async untilWatched(manager: ServiceManager, watchMs: number): Promise<string | null> {
    const { wire, monotonicMs } = this.parts
    const endsAtMs = monotonicMs() + watchMs
    let heardAtMs = monotonicMs()
    let next = wire.next()
    while (monotonicMs() < endsAtMs) {
      const message: Message | null | 'late' = await inTime(next, Math.min(beatMsMax, endsAtMs - monotonicMs()))
      if (message === null) return 'it ended'
      if (message === 'late') {
        if (monotonicMs() - heardAtMs > silentMsMax) return `it could not store for ${silentMsMax / 1000} s`
        continue
      }
      next = wire.next()
      heardAtMs = monotonicMs()
      if (message.say === 'stopping') return null
      if (message.say === 'alive') manager.alive()
    }
    return null
  }

  private async end(): Promise<void> {
    const { child } = this.parts
    if (child === null) return
    child.kill('SIGKILL')
    await child.exited
  }
}
