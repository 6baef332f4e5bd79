/** A request and its outcome, as far as the browser shows it to a page. */
export interface Exchange {
  method: string
  url: string
  headers: [name: string, value: string][]
  body: string | null
  /** `null` while there is none, and for good if the browser shows none. */
  answer: { status: number; headers: [name: string, value: string][]; body: string } | null
  /** The browser's own words if there is no answer. */
  error: string | null
}

/**
 * `passed`: as it should be. `note`: as it should be, with something to know or do. `failed`: does not work. `asks`: a
 * person has to do something now. `skipped`: there was nothing to try, or no point in trying.
 */
export type CheckState = 'waiting' | 'running' | 'passed' | 'note' | 'failed' | 'asks' | 'skipped'

/** The outcome of a check, in plain words. */
export interface CheckOutcome extends Remedy {
  state: CheckState
  says: string
  /** The request it sent, with its answer. */
  exchange?: Exchange | null | undefined
}

interface Remedy {
  /** What to do about it. */
  todo?: string | undefined
  /** A line to copy for that. */
  line?: string
}

export const domainChecks = {
  script: 'The script',
  configuration: 'Its configuration',
  origin: 'Sending from this page',
  consent: 'Asking for consent first',
  withoutConsent: 'An event without consent',
  withConsent: 'An event with consent',
  identify: 'A visitor says who they are',
  cookie: 'Knowing a visitor again',
} as const

export const formChecks = {
  declaration: 'The form',
  honeypot: 'Its trap for robots',
  botCheck: 'Its bot check',
  submission: 'A submission',
} as const

/** Shows the outcome of a check, or the same of several, beside it. */
export type Report<Checks> = (ids: keyof Checks | (keyof Checks)[], outcome: CheckOutcome) => void

const outcomeOf =
  (state: CheckState) =>
  (says: string, exchange?: Exchange | null, remedy: Remedy = {}): CheckOutcome => ({
    state,
    says,
    exchange,
    ...remedy,
  })

export const passed = outcomeOf('passed')
export const note = outcomeOf('note')
export const failed = outcomeOf('failed')
export const asks = outcomeOf('asks')
export const skipped = outcomeOf('skipped')
export const trying: CheckOutcome = { state: 'running', says: '' }

/** The JSON object of an exchange's answer; empty if there is none. */
export function answerIn({ answer }: Pick<Exchange, 'answer'>): Record<string, unknown> {
  try {
    return { ...JSON.parse(answer?.body ?? '') }
  } catch {
    return {}
  }
}

/** The spec's refusal in an answer; empty: there is none. */
export const refusalIn = (exchange: Exchange): { code?: string; message?: string } => ({
  ...(answerIn(exchange).error as object | undefined),
})

/** What went wrong with a request that should have been accepted, and what to do. */
export function refusal(exchange: Exchange): CheckOutcome {
  const { answer, error } = exchange
  if (answer === null) return failed(`The browser shows no answer, only “${error}”.`, exchange, { todo: nameAdvice })
  const { code = '', message = `The answer has the status ${answer.status}.` } = refusalIn(exchange)
  return failed(message, exchange, { todo: advice[code] })
}

/** Used if the browser reaches nothing under the domain's name. */
export const nameAdvice = 'Run capture doctor: the domain’s name must lead to this box, with a valid certificate.'

/** By the code of the spec. */
const advice: Record<string, string> = {
  unknown_source:
    'The tracking key is not the account’s, or was revoked. Take `key` from its site.toml; capture key rotate mints a new one.',
  consent_missing: 'The account needs the visitor’s consent, and the request carried none.',
  rate_limited: 'Too many requests came from this address within a minute. Wait a minute, then try again.',
  bot: 'The bot check was not passed. Reload the page; if that does not help, check [bot_check] in site.toml.',
  unavailable: 'The box cannot store anything at the moment. Run capture doctor to see why.',
  validation: 'The endpoint does not accept this body. Is payload_limit in site.toml very small?',
}

const pollMs = 50

/** Checks again and again until there is something; `null` when the time is up. */
export async function eventually<T>(ms: number, look: () => T | null | undefined): Promise<T | null> {
  const endMs = performance.now() + ms
  for (;;) {
    const seen = look() ?? null
    if (seen !== null || performance.now() > endMs) return seen
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

export interface Summary {
  title: string
  tone: CheckState
  says: string
}

/** All results so far, in one sentence. */
export function summary(states: CheckState[], accountName: string): Summary {
  const count = (...wanted: CheckState[]): number => states.filter((state) => wanted.includes(state)).length
  const under = count('running', 'waiting')
  const tried = count('passed', 'note', 'failed')
  const [failed, asks, notes, skipped] = [count('failed'), count('asks'), count('note'), count('skipped')]
  if (under > 0)
    return { title: 'Trying everything…', tone: 'running', says: `${states.length - under} of ${states.length} done.` }
  if (failed > 0) {
    const says = `${tried - failed} of ${tried} checks are as they should be. What to do stands below each of the others.`
    return { title: failed === 1 ? 'One thing does not work' : `${failed} things do not work`, tone: 'failed', says }
  }
  if (asks > 0)
    return { title: 'Your turn', tone: 'asks', says: 'Everything else was tried. The rest needs a person: see below.' }
  const noted = notes === 0 ? '' : notes === 1 ? ' One has a note.' : ` ${notes} have a note.`
  const says = `${tried} checks of ${accountName} are as they should be.${noted}`
  if (skipped === 0) return { title: 'Everything works', tone: 'passed', says }
  return { title: 'Not everything could be tried', tone: 'note', says: `${says} ${skipped} could not be tried.` }
}
