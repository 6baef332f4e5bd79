import type { Click, ClickVerdict } from '../ledger/entry.ts'
import scanners from './mail-scanners.json' with { type: 'json' }

/** A verdict, and why: the names of the rules that spoke. */
export interface Judgement {
  verdict: ClickVerdict
  reasons: string[]
}

/** What a click is judged from. */
export type ClickEvidence = Click['evidence']

/** Scanners follow a link as the mail arrives; few people do within this time of its sending. */
const secondsAfterSendingMin = 10

/** Headers that tell a browser from a machine; kept with the click, so that new rules can judge it again. */
const evidenceHeaders = [
  'user-agent',
  'accept',
  'accept-language',
  'sec-purpose',
  'purpose',
  'x-moz',
  'sec-fetch-mode',
  'sec-fetch-dest',
  'from',
] as const

const headerCharactersMax = 300

/** All agents of the list in one pass over the header. */
const scannerPattern = new RegExp(scanners.agents.map((agent) => RegExp.escape(agent)).join('|'))

export function clickEvidence(request: Request): ClickEvidence {
  const headers: Record<string, string> = {}
  for (const name of evidenceHeaders) {
    const value = request.headers.get(name)
    if (value !== null) headers[name] = value.slice(0, headerCharactersMax)
  }
  return { method: request.method, headers }
}

/**
 * Judges a click by its own request: certain signs make it a machine's, weaker ones suspected (contract section 4,
 * "Click answer"). Nothing is dropped whatever the verdict.
 */
export function judgeClick({ method, headers }: ClickEvidence, secondsAfterSending: number): Judgement {
  const userAgent = (headers['user-agent'] ?? '').toLowerCase()
  const purpose = headers['sec-purpose'] ?? headers.purpose ?? headers['x-moz'] ?? ''
  const machine = named({
    head: method === 'HEAD',
    prefetch: purpose.includes('prefetch') || purpose.includes('preview'),
    scanner: scannerPattern.test(userAgent) || headers.from !== undefined,
    no_user_agent: userAgent === '',
  })
  if (machine.length > 0) return { verdict: 'machine', reasons: machine }
  const suspected = named({
    soon_after_sending: secondsAfterSending < secondsAfterSendingMin,
    no_language: headers['accept-language'] === undefined,
  })
  return { verdict: suspected.length > 0 ? 'suspected' : 'human', reasons: suspected }
}

const named = (signs: Record<string, boolean>): string[] => Object.keys(signs).filter((name) => signs[name])
