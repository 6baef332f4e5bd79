/** The orders of recent days, which keep authorities' limits across restarts. */
export interface OrderLog {
  /** Records an order before the authority is asked. Resolves to its id. */
  begin(order: OrderBegun): Promise<number>
  end(id: number, outcome: OrderOutcome): Promise<void>
  /** Orders that began after this instant, oldest first. */
  since(instant: number): Promise<KeptOrder[]>
  /**
   * Forgets orders from before this instant, except the latest `ordersKeptMin`, so that a clock that is temporarily ahead does not
   * free up a limit. Moves orders from the future, made while the clock was ahead, to `now`, so that they age.
   */
  tidy(before: number, now: number): Promise<void>
}

/** Twice the largest limit. */
export const ordersKeptMin = 500

export interface OrderBegun {
  host: string
  /** Id of the account that owns the domain; `''`: the box. */
  accountId: string
  /** The domain to which authorities' limits apply: `acme.example` for `go.acme.example`. */
  registeredDomain: string
  /** URL. */
  directory: string
  /** Announced renewals (RFC 9773 `replaces`) are exempt from the authority's limits. */
  isAnnounced: boolean
  /** Epoch milliseconds. */
  beganAt: number
}

export interface KeptOrder extends OrderBegun {
  id: number
  /** `null`: in progress, or the service ended meanwhile. */
  outcome: OrderOutcome | null
}

/**
 * `refused`: the authority said no. `unanswered`: the exchange was not completed. `unusable`: the issued certificate cannot be
 * used.
 */
export type OrderOutcome = 'issued' | 'refused' | 'rateLimited' | 'unanswered' | 'unusable'
