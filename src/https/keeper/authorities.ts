import { AuthorityAccounts } from './authority-accounts.ts'
import { AuthorityClock, clockReason } from './authority-clock.ts'
import { type AuthorityPause, AuthorityPauses } from './authority-pauses.ts'
import { orderFailure } from './order-failure.ts'
import type { KeeperParts } from './parts.ts'
import { authorityName } from './targets.ts'

interface AuthoritiesParts {
  keeper: KeeperParts
  run: (work: Promise<void>) => void
  stopping: AbortSignal
}

/** The box's relations with authorities: accounts, clock differences and pauses. */
export class Authorities {
  readonly accounts: AuthorityAccounts
  private readonly pauses = new AuthorityPauses()
  private readonly authorityClock: AuthorityClock
  private hasAskedForAccount = false

  constructor(private readonly parts: AuthoritiesParts) {
    const { clock, authorityTime } = parts.keeper
    this.accounts = new AuthorityAccounts(parts.keeper)
    this.authorityClock = new AuthorityClock(clock, authorityTime)
  }

  /** `null`: the authority may be asked. */
  pauseOf(directory: string): AuthorityPause | null {
    return this.pauses.of(directory, this.parts.keeper.clock.monotonicMs())
  }

  /** The pause that the authority demands of an account; `null`: none. */
  demandedOf(asking: { directory: string; accountId: string }): AuthorityPause | null {
    return this.pauses.demandedOf(asking, this.parts.keeper.clock.monotonicMs())
  }

  /** Heeds a demanded pause for all names of the account, so that they do not ask one after the other. */
  heed(asking: { directory: string; accountId: string }, demand: { reason: string; lengthMs: number }): void {
    const { clock } = this.parts.keeper
    this.pauses.demand(asking, demand, { now: clock.now(), nowMs: clock.monotonicMs() })
  }

  /** Pauses the authority for all names. Logs that once, not for each waiting name. */
  pause(directory: string, reason: string): AuthorityPause {
    const { clock, log } = this.parts.keeper
    const pause = this.pauses.begin(directory, reason, { now: clock.now(), nowMs: clock.monotonicMs() })
    const nextTryAt = new Date(pause.until).toISOString()
    if (pause.isNew) log.warn(`${reason} Names wait for their certificates.`, { nextTryAt })
    return pause
  }

  /** Ends a pause after the authority has issued. */
  hasAnswered(directory: string): void {
    if (!this.pauses.end(directory)) return
    this.parts.keeper.log.info(`The certificate authority ${authorityName(directory)} issues again.`)
  }

  /** Opens an account before the first order, because the TXT record that can replace port 80 contains its URL. */
  openAccount(): void {
    const { keeper, run, stopping } = this.parts
    const { first } = keeper.directories
    if (this.hasAskedForAccount || this.pauseOf(first) !== null) return
    this.hasAskedForAccount = true
    const opening = this.accounts.at(first, stopping).then(
      () => {},
      (error) => {
        this.hasAskedForAccount = false
        if (stopping.aborted) return
        this.pause(first, orderFailure(error, { directory: first, isTrial: false }, false).reason)
      },
    )
    run(opening)
  }

  /** Why the machine's clock prevents orders; `null`: it is right, or the authority does not answer, which the order will report. */
  async clockFault(directory: string): Promise<string | null> {
    const offMs = await this.authorityClock.offMs(directory, this.parts.stopping).catch(() => 0)
    return offMs === 0 ? null : clockReason(offMs, authorityName(directory))
  }
}
