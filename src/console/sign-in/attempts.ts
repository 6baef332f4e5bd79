import { rateLimitAddress } from '../../lib/ip.ts'

/** A token bucket: `tokensMax` is its capacity, refilled evenly over the window. */
export interface AttemptBudget {
  key: string
  tokensMax: number
  windowSeconds: number
}

/** Takes one from every budget and resolves to 0, or from none and resolves to the whole seconds to wait. */
export interface AttemptBudgets {
  take(budgets: readonly AttemptBudget[]): Promise<number>
}

const signInWindow = { tokensMax: 10, windowSeconds: 600 }

/** Sign-ins: ten in ten minutes for each address, and ten for each user from any address (docs/console.md). */
export const signInBudgets = (address: string, email: string): AttemptBudget[] => [
  { key: `console sign-in address ${rateLimitAddress(address)}`, ...signInWindow },
  { key: `console sign-in user ${email}`, ...signInWindow },
]

/** Calls with invalid, expired or revoked tokens. */
export const wrongTokenBudget = (address: string): AttemptBudget => ({
  key: `console wrong token ${rateLimitAddress(address)}`,
  tokensMax: 30,
  windowSeconds: 60,
})

/** Calls of one token. */
export const callBudget = (tokenId: string): AttemptBudget => ({
  key: `console calls ${tokenId}`,
  tokensMax: 600,
  windowSeconds: 60,
})
