import { systemClock } from '../../lib/clock.ts'
import { rateLimitAddress } from '../../lib/ip.ts'
import type { PeerSource } from '../peer-source.ts'

/** Bun sends at most 256 requests of a process at once (tried); the rest is for bot checks, deliveries and backups. */
const placesMax = 160
const placesOfAddressMax = 48
const waitingMax = 1000
const waitMsMax = 10_000

interface Waiting {
  address: string
  enter(leave: () => void): void
}

/** Limits the requests for the console that are under way at once, in all and of one address, for they are open to everybody. */
export class Places {
  private readonly byAddress = new Map<string, number>()
  private taken = 0
  private readonly waiting = new Set<Waiting>()

  /** Waits for a place. @returns what gives it back, which may be called again; `null`: there was none for ten seconds */
  take(clientAddress: string): Promise<(() => void) | null> | (() => void) | null {
    const address = rateLimitAddress(clientAddress)
    if (this.hasRoom(address)) return this.enter(address)
    if (this.waiting.size >= waitingMax) return null
    const { promise, resolve } = Promise.withResolvers<(() => void) | null>()
    const waiting: Waiting = { address, enter: resolve }
    this.waiting.add(waiting)
    const patience = setTimeout(() => {
      this.waiting.delete(waiting)
      resolve(null)
    }, waitMsMax)
    return promise.finally(() => clearTimeout(patience))
  }

  private hasRoom(address: string): boolean {
    return this.taken < placesMax && (this.byAddress.get(address) ?? 0) < placesOfAddressMax
  }

  private enter(address: string): () => void {
    this.taken++
    this.byAddress.set(address, (this.byAddress.get(address) ?? 0) + 1)
    let isTaken = true
    return () => {
      if (isTaken) this.leave(address)
      isTaken = false
    }
  }

  private leave(address: string): void {
    this.taken--
    const left = (this.byAddress.get(address) ?? 1) - 1
    if (left === 0) this.byAddress.delete(address)
    else this.byAddress.set(address, left)
    const next = this.waiting.values().find((waiting) => this.hasRoom(waiting.address))
    if (next === undefined) return
    this.waiting.delete(next)
    next.enter(this.enter(next.address))
  }
}

/** Bun's shortest idle timeout: it then closes the connection within seconds. */
const cutSeconds = 1

/** What a client has to send within the time of one silence: a byte now and then is no progress. */
const progressBytes = 16_384

/**
 * Cuts the connection of a client that keeps this box waiting. Bun's idle timeout cannot: it also ends a request that this box is
 * still working on, and each of its changes leaves the time that has passed (docs/decisions/0068).
 */
export class SilenceLimit {
  private timer: Timer | undefined
  private leftMs: number
  private waitingSince = 0
  private bytes = 0
  private isOver = false

  constructor(
    private readonly request: Request,
    private readonly server: PeerSource | null,
    private readonly silentMsMax: number,
  ) {
    this.leftMs = silentMsMax
    server?.timeout(request, 0)
  }

  /** The client has to act next. */
  begin(): void {
    clearTimeout(this.timer)
    if (this.isOver) return
    this.waitingSince = systemClock.monotonicMs()
    this.timer = setTimeout(() => this.server?.timeout(this.request, cutSeconds), this.leftMs)
  }

  /** The client has sent something; time it took is given back once that is enough. */
  progress(bytes: number): void {
    this.bytes += bytes
    this.leftMs = Math.max(0, this.leftMs - (systemClock.monotonicMs() - this.waitingSince))
    if (this.bytes >= progressBytes) this.renew()
    this.pause()
  }

  /** The client has taken what it had to. */
  renew(): void {
    this.bytes = 0
    this.leftMs = this.silentMsMax
  }

  /** This box has to act next. */
  pause(): void {
    clearTimeout(this.timer)
  }

  /**
   * The answer has left this box. The connection outlives it, and Bun's idle timeout with it: switched off for good, it would let
   * clients hold connections without limit. Call before the answer's end, after which Bun no longer knows the request.
   */
  end(): void {
    if (this.isOver) return
    this.isOver = true
    this.pause()
    this.server?.timeout(this.request, Math.max(cutSeconds, Math.ceil(this.silentMsMax / 1000)))
  }
}
