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

const ofOnePlace = { tokensMax: 10, windowSeconds: 600 }
/** Above the budget of one address, so that a single stranger never uses it up. */
const ofOneUser = { tokensMax: 30, windowSeconds: 600 }
/** Nobody guesses a signature: this bounds the work alone. */
const ofPasskeys = { tokensMax: 60, windowSeconds: 600 }

interface PasswordAttempt {
  address: string
  email: string
  /** Of a browser in which this user has signed in before; `null`: unknown. */
  browserId: string | null
  /** The code has the form of a recovery code, which nobody guesses. */
  isByRecoveryCode: boolean
}

/**
 * Sign-ins with a password (docs/console.md). A browser that the user has signed in with before has tries of its own, which
 * strangers cannot use up. All others have those of their address, and together those of the user.
 */
export function signInBudgets({ address, email, browserId, isByRecoveryCode }: PasswordAttempt): AttemptBudget[] {
  if (browserId !== null) return [{ key: `console sign-in browser ${browserId}`, ...ofOnePlace }]
  const ofAddress = { key: `console sign-in address ${rateLimitAddress(address)}`, ...ofOnePlace }
  return isByRecoveryCode ? [ofAddress] : [ofAddress, { key: `console sign-in user ${email}`, ...ofOneUser }]
}

/** Proofs by password within a session: nobody but the session's browser can use them up. */
export const proofBudget = (sessionId: string): AttemptBudget => ({ key: `console prove ${sessionId}`, ...ofOnePlace })

/** Steps of ceremonies with passkeys that nobody has signed in for. */
export const passkeyBudget = (step: 'options' | 'answer', address: string): AttemptBudget => ({
  key: `console passkey ${step} ${rateLimitAddress(address)}`,
  ...ofPasskeys,
})

/** Steps of ceremonies with passkeys within a session. */
export const ownPasskeyBudget = (sessionId: string): AttemptBudget => ({
  key: `console passkey session ${sessionId}`,
  ...ofPasskeys,
})

/** Calls with invalid, expired or revoked tokens. */
export const wrongTokenBudget = (address: string): AttemptBudget => ({
  key: `console wrong token ${rateLimitAddress(address)}`,
  tokensMax: 30,
  windowSeconds: 60,
})

export const callBudget = (tokenId: string): AttemptBudget => ({
  key: `console calls ${tokenId}`,
  tokensMax: 600,
  windowSeconds: 60,
})
