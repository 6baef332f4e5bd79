/** A token bucket: `tokensMax` is its capacity, refilled evenly over the window. */
export interface Budget {
  /** Identifies the budget among all budgets of this box. */
  key: string
  /** 1 to 2147483647. */
  tokensMax: number
  /** 1 to 2147483647. */
  windowSeconds: number
}

/** Budgets that one request may take from. */
export const budgetsPerTakeMax = 4

/**
 * Rate-limit budgets.
 *
 * Guarantees: `take` takes one token from every one of the budgets and resolves to 0, or, when one of them is empty,
 * takes from none and resolves to the whole seconds after which the same call is worth trying again: waiting that long
 * succeeds unless somebody else takes meanwhile. Two calls never take the same token. A key never seen is a full budget.
 * A restart or a full store may forget counts in the caller's favour, never against the caller.
 * The keys of one call differ from each other, and there are at most `budgetsPerTakeMax`.
 */
export interface BudgetStore {
  take(budgets: readonly Budget[]): Promise<number>
}
