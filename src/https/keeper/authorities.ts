import { newAccountKey } from '../acme/account-key.ts'
import type { Authority, AuthorityAccount } from '../acme/authority.ts'
import { AcmeProblem } from '../acme/problem.ts'
import type { CertificateStore, KeptAccount } from '../certificate-store.ts'
import { orderFailure } from './order-failure.ts'
import { AuthorityClock, clockReason, type KeeperParts } from './parts.ts'
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

/** Pauses after consecutive failures. They apply to all names, because the authority is unreachable for all. */
const pauseSeconds = [30, 60, 120, 300, 600]

export interface AuthorityPause {
  /** What happened, as a sentence. */
  reason: string
  /** Epoch milliseconds. */
  until: number
}

interface Lasting extends AuthorityPause {
  /** Monotonic. */
  untilMs: number
}

/** Paused authorities by the URL of their directory. After a pause, one waiting name tries again. */
class AuthorityPauses {
  private readonly paused = new Map<string, Lasting & { failures: number }>()
  /** Demanded of one account, whose names alone have used up a limit; by directory and account. */
  private readonly demanded = new Map<string, Lasting>()

  /** Records a failure that is not the name's fault. @param nowMs monotonic */
  begin(
    directory: string,
    reason: string,
    { now, nowMs }: { now: number; nowMs: number },
  ): AuthorityPause & { isNew: boolean } {
    const before = this.paused.get(directory)
    // Concurrent orders fail together: count them once.
    if (before !== undefined && nowMs < before.untilMs) return { ...before, isNew: false }
    const failures = (before?.failures ?? 0) + 1
    const lengthMs = (pauseSeconds[failures - 1] ?? pauseSeconds.at(-1) ?? 0) * 1000
    const pause = { reason, until: now + lengthMs, untilMs: nowMs + lengthMs, failures }
    this.paused.set(directory, pause)
    return { ...pause, isNew: before?.reason !== reason }
  }

  /** `null`: it may be asked. */
  of(directory: string, nowMs: number): AuthorityPause | null {
    return stillLasting(this.paused.get(directory), nowMs)
  }

  /** The authority demands a pause after an order of the account. @param nowMs monotonic */
  demand(
    { directory, accountId }: { directory: string; accountId: string },
    { reason, lengthMs }: { reason: string; lengthMs: number },
    { now, nowMs }: { now: number; nowMs: number },
  ): void {
    this.demanded.set(`${directory} ${accountId}`, { reason, until: now + lengthMs, untilMs: nowMs + lengthMs })
  }

  /** `null`: none is demanded of the account. */
  demandedOf({ directory, accountId }: { directory: string; accountId: string }, nowMs: number): AuthorityPause | null {
    return stillLasting(this.demanded.get(`${directory} ${accountId}`), nowMs)
  }

  /** Ends the pause. Returns whether there was one. */
  end(directory: string): boolean {
    return this.paused.delete(directory)
  }
}

const stillLasting = <P extends Lasting>(pause: P | undefined, nowMs: number): P | null =>
  pause !== undefined && nowMs < pause.untilMs ? pause : null

interface AccountParts {
  store: Pick<CertificateStore, 'account' | 'keepAccount'>
  authority: (directory: string) => Authority
  /** An e-mail address; `''`: none. */
  contact: string
  /** For directories that require one (RFC 8555 section 7.3.4). */
  externalBinding: { kid: string; hmac: string } | null
}

/** The box's accounts at authorities, one per directory, created for the first order. */
export class AuthorityAccounts {
  private readonly accounts = new Map<string, Promise<AuthorityAccount>>()

  constructor(private readonly parts: AccountParts) {}

  /** @throws AcmeProblem */
  at(directory: string, signal: AbortSignal): Promise<AuthorityAccount> {
    const accounts = this.accounts.get(directory)
    if (accounts !== undefined) return accounts
    // Concurrent orders share one account and one request.
    const opening = this.open(directory, signal).catch((error) => {
      this.accounts.delete(directory)
      throw error
    })
    this.accounts.set(directory, opening)
    return opening
  }

  /** Forgets a lost account, so that the next order requests a new one. */
  async lost(directory: string, { keyToo }: { keyToo: boolean }): Promise<void> {
    this.accounts.delete(directory)
    const kept = await this.parts.store.account(directory)
    if (kept === null) return
    const key = keyToo ? newAccountKey() : kept.key
    await this.parts.store.keepAccount(directory, { key, url: null })
  }

  private async open(directory: string, signal: AbortSignal): Promise<AuthorityAccount> {
    const { store, contact } = this.parts
    const kept = (await store.account(directory)) ?? (await this.newAccount(directory))
    const authority = this.parts.authority(directory)
    const account = await authority.account(
      { ...kept, contact, externalBinding: await this.binding(authority, signal) },
      signal,
    )
    if (account.url !== kept.url) await store.keepAccount(directory, { key: kept.key, url: account.url })
    return account
  }

  /** Stores the key before the request, so that an account's key is never lost. */
  private async newAccount(directory: string): Promise<KeptAccount> {
    const account = { key: newAccountKey(), url: null }
    await this.parts.store.keepAccount(directory, account)
    return account
  }

  private async binding(authority: Authority, signal: AbortSignal) {
    const { externalBinding } = this.parts
    if (externalBinding === null) return null
    const { externalBindingRequired } = await authority.offer(signal)
    return externalBindingRequired ? externalBinding : null
  }
}

/** Whether an order failed because the account is gone. `keyToo`: its key is refused as well. */
export function accountLoss(error: unknown): { keyToo: boolean } | null {
  if (!(error instanceof AcmeProblem)) return null
  if (error.kind === 'accountGone') return { keyToo: false }
  return error.kind === 'keyRefused' ? { keyToo: true } : null
}
