import { systemClock } from '../../lib/clock.ts'
import type { PeerSource } from '../peer-source.ts'

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
