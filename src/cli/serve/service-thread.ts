import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'

interface ServiceThreadParts<To, From> {
  /** The thread's entry point. */
  workerFile: string | URL
  /** What the thread does, as it continues "The thread that": `keeps certificates`. */
  purpose: string
  /** The first message to each thread. */
  begin: To
  onMessage: (message: Exclude<From, ThreadClosed>) => void
  /** What a thread that died has left behind. */
  onDeath?: () => void
  clock: Pick<Clock, 'monotonicMs'>
  log: Pick<Log, 'error'>
}

/** The last message of a thread: it has ended what was under way. */
export interface ThreadClosed {
  closed: true
}

/** Before a thread that died is replaced; one that has lived for so long was no failed start. */
const restartPausesMs = [1000, 5000, 30_000, 60_000]
const soundLifeMs = 600_000
/** How long it may take to end what is under way. */
const closeMsMax = 5000

/**
 * A thread that works beside the serving one for as long as the service runs. When it dies the service goes on, and the
 * thread is started again. It ends what is under way when it is told `{ close: true }`, and then says `{ closed: true }`.
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

  /** Lost when the thread is dead: it begins anew. */
  send(message: To | { close: true }): void {
    this.worker?.postMessage(message)
  }

  /** Nothing new begins any more; what is still under way after a while is cut. */
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
    log.error(`The thread that ${purpose} has died and is started again; the service goes on.`, { reason, pauseMs })
    this.restart = setTimeout(() => this.start(), pauseMs)
  }
}

/** The error's own text may quote what it was about: the log shows only the place in our sources. */
function faultPlace(text: string): string {
  const place = /\bat .*?([\w-]+\.(?:ts|js)):(\d+)/.exec(text)
  return place === null ? 'a fault' : `a fault in ${place[1]}:${place[2]}`
}
