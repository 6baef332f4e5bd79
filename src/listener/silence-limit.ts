import type { PeerSource } from './peer-source.ts'

/** Bun's shortest idle timeout: it then closes the connection within seconds. */
const cutSeconds = 1

/**
 * Cuts the connection of a client that keeps this box waiting in silence. Bun's idle timeout cannot: it also ends a request that
 * this box is still working on, and each of its changes leaves the time that has passed (docs/decisions/0068).
 */
export class SilenceLimit {
  private timer: Timer | undefined

  constructor(
    private readonly request: Request,
    private readonly server: PeerSource | null,
    private readonly silentMsMax: number,
  ) {
    server?.timeout(request, 0)
  }

  /** The client has to act next. */
  begin(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.server?.timeout(this.request, cutSeconds), this.silentMsMax)
  }

  /** The client has acted, or this box has to act next. */
  end(): void {
    clearTimeout(this.timer)
  }
}
