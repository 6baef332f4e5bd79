import type { Clock } from '../../lib/clock.ts'
import { faultPlace } from '../../lib/fault-place.ts'
import { handedOnLog, type Log, type LogLine } from '../../lib/log.ts'

export interface ThreadSurroundings {
  clock: Pick<Clock, 'monotonicMs'>
  log: Log
  /** The purposes of threads that are not started again because too many of them hang. Changes in place. */
  stalled: Set<string>
}

interface ServiceThreadParts<Settings, Posted> extends ThreadSurroundings {
  workerFile: string | URL
  /** Completes "The thread that", such as `keeps certificates`. */
  purpose: string
  /** What each thread begins with; asked for at each start. */
  settings: () => Settings
  onMessage: (message: Posted) => void
  onDeath?: () => void
  /** Limits how long the thread may take to finish its work when it is stopped. */
  closeMsMax?: number
  pingMs?: number
  pausesMs?: readonly number[]
}

const usualPingMs = 10_000
/**
 * A thread that leaves so many questions in a row unanswered hangs: it has not turned its event loop for two minutes. They are
 * counted, because a clock goes on while the machine sleeps.
 */
const unansweredMax = 12
/** The first one and two replacements. What holds three, such as a stalled disk, would hold each further one. */
const hangingMax = 3

/** The lifetime that resets the back-off. */
const usualPausesMs = [1000, 5000, 30_000, 60_000]
const soundLifeMs = 600_000
const usualCloseMsMax = 5000

/** A background thread of the service, which runs `workInThread`. When it dies, the service continues and restarts it. */
export class ServiceThread<Settings, Posted extends object, Own extends object = never> {
  private worker: Worker | null = null
  private restart: Timer | null = null
  private pinging: Timer | null = null
  private unanswered = 0
  private deaths = 0
  /** Ended, but still in a call of native code, which nothing can interrupt. */
  private readonly hanging = new Set<Worker>()
  private startedAtMs = 0
  private isClosing = false
  private closed = Promise.withResolvers<void>()

  constructor(private readonly parts: ServiceThreadParts<Settings, Posted>) {
    this.start()
  }

  /** Dropped if the thread is dead, since a new one starts afresh. */
  send(message: ToThread<Settings, Own>): void {
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
    this.parts.stalled.delete(this.parts.purpose)
    await Promise.race([this.closed.promise, Bun.sleep(this.parts.closeMsMax ?? usualCloseMsMax)])
    if (this.worker !== null) this.bury(this.worker, 'it was stopped')
  }

  private start(): void {
    const { clock, log, onMessage, pingMs = usualPingMs, settings, workerFile } = this.parts
    this.startedAtMs = clock.monotonicMs()
    this.unanswered = 0
    this.closed = Promise.withResolvers<void>()
    let reason = 'it ended'
    const worker = new Worker(workerFile, { smol: true })
    worker.onmessage = ({ data }: MessageEvent<FromThread<Posted>>) => {
      if ('closed' in data) this.closed.resolve()
      else if ('pong' in data) this.unanswered = 0
      else if ('log' in data) log[data.log.level](data.log.message, data.log.fields)
      else onMessage(data)
    }
    worker.onerror = (event) => {
      reason = faultPlace(event.message)
      worker.terminate()
    }
    worker.addEventListener('close', () => {
      if (this.hanging.delete(worker)) this.endStall()
      else this.bury(worker, reason)
    })
    this.worker = worker
    this.send({ begin: settings() })
    this.pinging = setInterval(() => this.ping(worker), pingMs)
  }

  private ping(worker: Worker): void {
    if (this.unanswered === unansweredMax) {
      this.hanging.add(worker)
      this.bury(worker, 'it has hung for two minutes')
      return
    }
    this.unanswered++
    this.send({ ping: true })
  }

  /** Does not wait for the end: what SQLite is at in a thread cannot be interrupted. */
  private bury(worker: Worker, reason: string): void {
    if (worker !== this.worker) return
    const { clock, onDeath } = this.parts
    this.worker = null
    if (this.pinging !== null) clearInterval(this.pinging)
    worker.terminate()
    onDeath?.()
    this.closed.resolve()
    if (this.isClosing) return
    if (clock.monotonicMs() - this.startedAtMs >= soundLifeMs) this.deaths = 0
    if (this.hanging.size < hangingMax) this.startLater(reason)
    else this.stall()
  }

  private startLater(reason: string): void {
    const { log, pausesMs = usualPausesMs, purpose } = this.parts
    const pauseMs = pausesMs[Math.min(this.deaths, pausesMs.length - 1)] ?? 0
    this.deaths++
    log.error(`The thread that ${purpose} has died and is restarted; the service continues.`, { reason, pauseMs })
    this.restart = setTimeout(() => this.start(), pauseMs)
  }

  /** The process goes on without it: ended, it could not let go of its ports before what holds the threads does. */
  private stall(): void {
    const { log, purpose, stalled } = this.parts
    stalled.add(purpose)
    log.error(
      `The thread that ${purpose} hangs, and so do its ${hangingMax - 1} replacements: no other is started until one of them ends. Captures and pages go on. Look for a disk or a network share that does not answer.`,
    )
  }

  /** What held the threads has let go of one. */
  private endStall(): void {
    const { purpose, stalled } = this.parts
    if (stalled.delete(purpose)) this.startLater('it no longer hangs')
  }
}

/** To a thread of the service, besides what it understands of its own. */
export type ToThread<Settings, Own = never> = { begin: Settings } | { close: true } | { ping: true } | Own

/** From such a thread, besides what it says of its own. */
export type FromThread<Own = never> = { log: LogLine } | { closed: true } | { pong: true } | Own

interface ThreadWork<Received = never> {
  receive?: (message: Received) => void
  /** Starts nothing more, and resolves when what is under way has ended. */
  close(): Promise<void>
}

interface ThreadParts<Posted> {
  post: (message: Posted) => void
  /** Its lines go to the serving thread. */
  log: Log
}

declare const self: Worker

/**
 * Begins the work once this thread is told its settings, and closes it when the thread is told to. Call before anything is
 * awaited: messages that arrive earlier would be lost.
 */
export function workInThread<Settings, Posted = never, Received extends object = never>(
  begin: (settings: Settings, parts: ThreadParts<Posted>) => Promise<ThreadWork<Received>>,
): void {
  const post = (message: FromThread<Posted>): void => self.postMessage(message)
  const log = handedOnLog((line) => post({ log: line }))
  let work: Promise<ThreadWork<Received>> | null = null
  const close = async (): Promise<void> => {
    try {
      await (await work)?.close()
    } finally {
      post({ closed: true })
    }
  }
  self.onmessage = ({ data }: MessageEvent<ToThread<Settings, Received>>) => {
    if ('begin' in data) work = begin(data.begin, { post, log })
    else if ('close' in data) void close()
    else if ('ping' in data) post({ pong: true })
    else void work?.then(({ receive }) => receive?.(data))
  }
}
