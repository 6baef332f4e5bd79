import type { Challenge } from 'altcha/types'
import { solve } from './solver.ts'
import { fault, faultOf, type Widget } from './widget.ts'

/** Even the slowest phones finish long before. */
const timeoutMs = 60_000

/** The self-hosted check where its widget cannot be shown: solved silently when the form is sent. */
export function unseenCheck(challengeUrl: string): Widget {
  return {
    async token() {
      const response = await fetch(challengeUrl, { credentials: 'omit' })
      if (!response.ok) throw await faultOf(response)
      const { parameters, signature } = (await response.json()) as Challenge
      const work = { challenge: { parameters }, counterStart: 0, counterStep: 1, timeout: timeoutMs }
      const solution = await solve(work, new AbortController().signal)
      if (!solution) throw fault('bot', 'The bot check could not be solved in this browser.')
      return btoa(JSON.stringify({ challenge: { parameters, signature }, solution }))
    },
    // Each token is solved separately.
    reset() {},
  }
}
