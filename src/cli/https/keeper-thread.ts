import type { Http01Answers } from '../../https/http-01-answers.ts'
import type { FromKeeper, KeeperSettings, ToKeeper } from '../../https/keeper/thread-messages.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'

interface KeeperThreadParts {
  /** The thread's entry point. */
  workerFile: string | URL
  settings: KeeperSettings
  answers: Http01Answers
  onIssued: (issued: { host: string; isRenewal: boolean }) => void
  clock: Pick<Clock, 'monotonicMs'>
  log: Log
}

/** Before a thread that died is replaced; one that has lived for so long was no failed start. */
const restartPausesMs = [1000, 5000, 30_000, 60_000]
const soundLifeMs = 600_000
/** How long it may take to end what is under way. */
const closeMsMax = 5000

/**
 * The thread that keeps certificates, seen from the serving one: X.509, DNS and the database's write lock must never
 * keep an answer waiting. When it dies the service goes on, and it is started again.
 */
export class KeeperThread {
  private worker: Worker | null = null
  private restart: Timer | null = null
  private deaths = 0
  private startedAtMs = 0
  private isClosing = false
  private readonly closed = Promise.withResolvers<void>()

  constructor(private readonly parts: KeeperThreadParts) {
    this.start()
  }

  /** No order begins any more; what is under way is cut. */
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
    const { clock, settings, workerFile } = this.parts
    this.startedAtMs = clock.monotonicMs()
    let reason = 'it ended'
    const worker = new Worker(workerFile, { smol: true })
    worker.onmessage = (message: MessageEvent<FromKeeper>) => this.receive(message.data)
    worker.onerror = (event) => {
      reason = faultPlace(event.message)
      worker.terminate()
    }
    worker.addEventListener('close', () => this.bury(reason))
    this.worker = worker
    this.send({ begin: settings })
  }

  private send(message: ToKeeper): void {
    this.worker?.postMessage(message)
  }

  private receive(message: FromKeeper): void {
    const { answers, log, onIssued } = this.parts
    if ('show' in message) {
      answers.show(message.show.token, message.show.keyAuthorization)
      this.send({ shown: message.show.id })
    } else if ('hide' in message) answers.hide(message.hide)
    else if ('issued' in message) onIssued(message.issued)
    else if ('log' in message) log[message.log.level](message.log.message, message.log.fields)
    else this.closed.resolve()
  }

  private bury(reason: string): void {
    const { answers, clock, log } = this.parts
    this.worker = null
    answers.clear()
    this.closed.resolve()
    if (this.isClosing) return
    if (clock.monotonicMs() - this.startedAtMs >= soundLifeMs) this.deaths = 0
    const pauseMs = restartPausesMs[Math.min(this.deaths, restartPausesMs.length - 1)] ?? 0
    this.deaths++
    log.error('The thread that keeps certificates has died and is started again; the service goes on.', {
      reason,
      pauseMs,
    })
    this.restart = setTimeout(() => this.start(), pauseMs)
  }
}

/** The error's own text may quote what it was about: only the place in our sources is told. */
function faultPlace(text: string): string {
  const place = /\bat .*?([\w-]+\.(?:ts|js)):(\d+)/.exec(text)
  return place === null ? 'a fault' : `a fault in ${place[1]}:${place[2]}`
}
