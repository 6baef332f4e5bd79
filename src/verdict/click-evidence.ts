import type { Click } from '../ledger/entry.ts'

/** Evidence from the click's own request. It is stored with the click, so new rules can judge it again. */
export type ClickEvidence = Click['evidence']

/** Headers that tell a browser from a machine. */
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

export function clickEvidence(request: Request): ClickEvidence {
  const headers: Record<string, string> = {}
  for (const name of evidenceHeaders) {
    const value = request.headers.get(name)
    if (value !== null) headers[name] = value.slice(0, headerCharactersMax)
  }
  return { method: request.method, headers }
}
