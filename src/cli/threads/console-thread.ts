import type { Config } from '../../config/config.ts'
import type { LoadedConfig } from '../../config/load.ts'
import type { RefusalKind } from '../../console/audit/refused-tries.ts'
import { newProxySocket, type ProxySocket } from '../../console/proxy-socket.ts'
import type { Clock } from '../../lib/clock.ts'
import { inTime } from '../../lib/in-time.ts'
import { type ConsoleBehind, type ConsoleUse, wayToThread } from '../../listener/console/console-proxy.ts'
import { ServiceThread, type ThreadSurroundings } from './service-thread.ts'

interface ConsoleThreadParts extends ThreadSurroundings {
  workerFile: string | URL
  config: Config
  /** Reads the file again, of which only name and warnings are used. */
  readConfig: () => LoadedConfig
  onRefusal: (kind: RefusalKind) => void
  startMs?: number
  pingMs?: number
}

interface Life {
  proxySocket: ProxySocket
  /** Resolves once a thread listens: this one, or the next if it dies before. */
  listening: PromiseWithResolvers<Life>
  gone: AbortController
}

const newLife = (): Life => ({
  proxySocket: newProxySocket(),
  listening: Promise.withResolvers<Life>(),
  gone: new AbortController(),
})

export interface ConsoleBeginning {
  config: LoadedConfig
  proxySocket: ProxySocket
}

/** Comes before its end: it may write no more. */
export interface ConsoleLeaving {
  leave: true
}

/** From the console's thread: it answers at its socket, begins or ends work that nobody may be waiting for, or has refused somebody. */
export type ConsoleNotice = { listening: true } | { atWork: boolean } | { refused: RefusalKind }

/** A console that nobody has used for so long gives its memory back. */
const idleMsMax = 15 * 60_000
const idleLookMs = 60_000
/** What it is at when it is stopped is cut. A service that stops has half a second for all that follows its last answers. */
const closeMsMax = 300
/** A request waits no longer for the thread to start; the next one waits for the same start. */
const startMsMax = 10_000

/**
 * The console's thread, seen from the serving one: it is started by the first request, since a box that is only watched
 * from a terminal need not hold what its pages and reports take.
 */
export class ConsoleThread implements ConsoleBehind {
  readonly isElsewhere = false
  private running: { thread: ServiceThread<ConsoleBeginning, ConsoleNotice, ConsoleLeaving>; life: () => Life } | null =
    null
  private readonly uses: Uses
  private readonly idleLook: Timer
  private isOver = false

  constructor(private readonly parts: ConsoleThreadParts) {
    this.uses = new Uses(parts.clock)
    this.idleLook = setInterval(() => void this.restIfIdle(), idleLookMs)
  }

  async use(): Promise<ConsoleUse> {
    const end = this.uses.begin()
    try {
      if (this.isOver) throw new Error('the console has been stopped')
      this.running ??= this.start()
      const life = await inTime(this.running.life().listening.promise, this.parts.startMs ?? startMsMax)
      if (life === 'late') throw new Error('the console has not started yet')
      return { send: wayToThread(life.proxySocket), gone: life.gone.signal, end }
    } catch (error) {
      end()
      throw error
    }
  }

  /** Cuts what is under way, and starts no more. */
  async stop(): Promise<void> {
    this.isOver = true
    clearInterval(this.idleLook)
    await this.rest()
  }

  private start(): NonNullable<ConsoleThread['running']> {
    const { clock, log, onRefusal, pingMs, stalled, workerFile } = this.parts
    let life = newLife()
    let endWork: (() => void) | null = null
    // Work that nobody waits for is a use as well. It ends with its thread, which may end after the next one has begun.
    const noteWork = (isAtWork: boolean) => {
      endWork?.()
      endWork = isAtWork ? this.uses.begin() : null
    }
    const thread = new ServiceThread<ConsoleBeginning, ConsoleNotice, ConsoleLeaving>({
      workerFile,
      purpose: 'answers for the console',
      settings: () => ({ config: this.loaded(), proxySocket: life.proxySocket }),
      onMessage: (message) => {
        if ('listening' in message) life.listening.resolve(life)
        else if ('refused' in message) onRefusal(message.refused)
        else noteWork(message.atWork)
      },
      onDeath: () => {
        noteWork(false)
        const before = life
        life = newLife()
        void life.listening.promise.then(before.listening.resolve)
        before.gone.abort()
      },
      ...{ clock, log, stalled, closeMsMax },
      ...(pingMs === undefined ? {} : { pingMs }),
    })
    return { thread, life: () => life }
  }

  /** The configuration in force; what is wrong with its file by now is a warning. */
  private loaded(): LoadedConfig {
    const { config, readConfig } = this.parts
    try {
      return { ...readConfig(), config }
    } catch (error) {
      return { config, file: null, warnings: [error instanceof Error ? error.message : 'unknown'] }
    }
  }

  async restIfIdle(): Promise<void> {
    if (this.uses.idleMs() >= idleMsMax) await this.rest()
  }

  /** Ends what is under way, since another node answers from now on. Should this one lead again, the next use starts it. */
  async leave(): Promise<void> {
    this.running?.thread.send({ leave: true })
    await this.rest()
  }

  private async rest(): Promise<void> {
    const { running } = this
    this.running = null
    await running?.thread.stop()
  }
}

/** For how long something has not been used. What is under way is a use, however long it takes. */
export class Uses {
  private underWay = 0
  private lastAtMs: number

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {
    this.lastAtMs = clock.monotonicMs()
  }

  /** @returns what ends this use; a second call does nothing */
  begin(): () => void {
    let isOver = false
    this.underWay++
    return () => {
      if (isOver) return
      isOver = true
      this.underWay--
      this.lastAtMs = this.clock.monotonicMs()
    }
  }

  idleMs(): number {
    return this.underWay > 0 ? 0 : this.clock.monotonicMs() - this.lastAtMs
  }
}
