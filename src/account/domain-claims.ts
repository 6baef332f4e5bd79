import { ipVersion } from '../lib/ip.ts'

/** A name that an account no longer connects, and that no other account may take by itself for a while. */
export interface ReservedDomain {
  host: string
  /** The former account, which may be removed. */
  accountId: string
  /** Its handle when it let the name go. */
  handle: string
  /** Epoch milliseconds. */
  droppedAt: number
}

/** How long a dropped name stays reserved for its former account. */
export const domainReservedMs = 30 * 24 * 60 * 60 * 1000
/** More names than that of one account free the oldest. */
export const reservedPerAccountMax = 1000
export const suffixesPerAccountMax = 100

/**
 * Which accounts may connect which names, beside the names that they have connected.
 *
 * Guarantees: a name is reserved by the same transaction that takes it from its account, and no longer than
 * `domainReservedMs`; connecting it ends that.
 */
export interface DomainClaims {
  /** `null`: nobody's. */
  reserved(host: string): Promise<ReservedDomain | null>
  /** In order of host. */
  listReserved(): Promise<ReservedDomain[]>
  /** Frees the name. @returns what it was; `null`: it was not reserved */
  release(host: string): Promise<ReservedDomain | null>
  /** The names below which the account may connect any, in order. */
  suffixes(accountId: string): Promise<string[]>
  addSuffix(accountId: string, suffix: string): Promise<void>
  /** @returns whether there was one */
  removeSuffix(accountId: string, suffix: string): Promise<boolean>
}

/** Whether a suffix allows the name: itself and every name below. An address allows itself alone. */
export const isUnder = (host: string, suffix: string): boolean =>
  host === suffix || (ipVersion(host) === null && host.endsWith(`.${suffix}`))
