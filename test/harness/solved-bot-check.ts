import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'

/** A fresh proof for the self-hosted bot check of a connected domain, as the script solves it in a browser. */
export async function solvedBotCheck(origin: string, headers: Record<string, string> = {}): Promise<string> {
  const challenge = (await (await fetch(`${origin}/_svc/b`, { headers })).json()) as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('The challenge cannot be solved.')
  const { counter, derivedKey } = solution
  return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }))
}
