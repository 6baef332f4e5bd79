/** The orders of the last days, by which the authorities' limits are kept across restarts. */
export interface OrderLog {
  /** Notes an order before the authority is asked; answers its id. */
  begin(order: OrderBegun): Promise<number>
  end(id: number, outcome: OrderOutcome): Promise<void>
  /** Orders that began after this instant, oldest first. */
  since(instant: number): Promise<KeptOrder[]>
  /**
   * Forgets orders that began before this instant, but for the latest `ordersKeptMin`: a clock that is ahead for a while must
   * not make room in a limit. One that begins later than `now`, since the clock was ahead, has
   * begun now, so that it ages from now on.
   */
  tidy(before: number, now: number): Promise<void>
}

/** Twice what any limit counts. */
export const ordersKeptMin = 500

export interface OrderBegun {
  host: string
  /** Id of the account whose domain it is; `''`: the box itself. */
  accountId: string
  /** The name that the authority's limits are counted by: `acme.example` of `go.acme.example`. */
  registeredDomain: string
  /** URL. */
  directory: string
  /** Announced renewals (RFC 9773 `replaces`) count for none of the authority's limits. */
  isAnnounced: boolean
  /** Epoch milliseconds. */
  beganAt: number
}

export interface KeptOrder extends OrderBegun {
  id: number
  /** `null`: under way, or the service ended meanwhile. */
  outcome: OrderOutcome | null
}

/**
 * `refused`: the authority looked and said no. `unanswered`: it could not be asked to the end. `unusable`: the
 * certificate that came cannot be used.
 */
export type OrderOutcome = 'issued' | 'refused' | 'rateLimited' | 'unanswered' | 'unusable'
