import type { Clock } from '../../lib/clock.ts'
import { faultPlace } from '../../lib/fault-place.ts'
import type { Log } from '../../lib/log.ts'

interface ServiceThreadParts<To, From> {
  /** The thread's entry point. */
  workerFile: string | URL
  /** Completes "The thread that", such as `keeps certificates`. */
  purpose: string
  /** The first message to each thread. */
  begin: To
  onMessage: (message: Exclude<From, ThreadClosed>) => void
  /** Cleans up after a thread that died. */
  onDeath?: () => void
  clock: Pick<Clock, 'monotonicMs'>
  log: Pick<Log, 'error'>
}

/** The last message of a thread, after it has finished its work. */
export interface ThreadClosed {
  closed: true
}

/** The pause before replacing a dead thread, and the lifetime that resets the back-off. */
const restartPausesMs = [1000, 5000, 30_000, 60_000]
const soundLifeMs = 600_000
/** Limits how long the thread may take to finish its work. */
const closeMsMax = 5000

/**
 * A background thread of the service. When it dies, the service continues and restarts it. On `{ close: true }` it finishes its
 * work and answers `{ closed: true }`.
 */
export class ServiceThread<To extends object, From extends object> {
  private worker: Worker | null = null
  private restart: Timer | null = null
  private deaths = 0
  private startedAtMs = 0
  private isClosing = false
  private readonly closed = Promise.withResolvers<void>()

  constructor(private readonly parts: ServiceThreadParts<To, From>) {
    this.start()
  }

  /** Dropped if the thread is dead, since a new one starts afresh. */
  send(message: To | { close: true }): void {
    this.worker?.postMessage(message)
  }

  /** Starts no further work, and aborts what is left after a while. */
  async stop(): Promise<void> {
    if (!this.isClosing) {
      this.isClosing = true
      if (this.restart !== null) clearTimeout(this.restart)
      if (this.worker === null) this.closed.resolve()
      else this.send({ close: true })
    }
    await Promise.race([this.closed.promise, Bun.sleep(closeMsMax)])
    this.worker?.terminate()
  }

  private start(): void {
    const { begin, clock, onMessage, workerFile } = this.parts
    this.startedAtMs = clock.monotonicMs()
    let reason = 'it ended'
    const worker = new Worker(workerFile, { smol: true })
    worker.onmessage = ({ data }: MessageEvent<From>) => {
      if ('closed' in data) this.closed.resolve()
      else onMessage(data as Exclude<From, ThreadClosed>)
    }
    worker.onerror = (event) => {
      reason = faultPlace(event.message)
      worker.terminate()
    }
    worker.addEventListener('close', () => this.bury(reason))
    this.worker = worker
    this.send(begin)
  }

  private bury(reason: string): void {
    const { clock, log, onDeath, purpose } = this.parts
    this.worker = null
    onDeath?.()
    this.closed.resolve()
    if (this.isClosing) return
    if (clock.monotonicMs() - this.startedAtMs >= soundLifeMs) this.deaths = 0
    const pauseMs = restartPausesMs[Math.min(this.deaths, restartPausesMs.length - 1)] ?? 0
    this.deaths++
    log.error(`The thread that ${purpose} has died and is restarted; the service continues.`, { reason, pauseMs })
    this.restart = setTimeout(() => this.start(), pauseMs)
  }
}
