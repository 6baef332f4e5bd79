import { readConfirmation } from '../../account/confirmation-link.ts'
import { textsOf } from '../../language/language.ts'
import type { ConfirmationState } from '../../ledger/confirmations.ts'
import { LedgerUnavailable } from '../../ledger/ledger.ts'
import { methodNotAllowed } from '../answer/answers.ts'
import { languageFor, smallPage, wayOn } from '../answer/small-page.ts'
import type { SiteArrival } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { notHere } from '../router.ts'

const retryAfterSeconds = 2

type Parts = Pick<ListenerParts, 'directory' | 'confirmations' | 'clock'>

/**
 * `/_svc/confirm/<token>`: where a visitor confirms a submission by mail (docs/confirmed-leads.md). GET shows a button and changes
 * nothing, since programs follow the links of a mail; POST is what the button sends. Its body is not read: the token says it all.
 */
export function confirmationRoute({ directory, confirmations, clock }: Parts) {
  return async (arrival: SiteArrival, { token = '' }: Record<string, string>): Promise<Response> => {
    const { request, site } = arrival
    const now = clock.now()
    const link = readConfirmation(token, { accountId: site.account.id, keys: directory.signingKeys, now })
    if (link === null) return notHere(arrival)
    const isSent = request.method === 'POST'
    if (!isSent && request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed('GET, HEAD, POST')
    const state = confirmations.state(link)
    if (state !== 'open' || now >= link.endsAt) return answer(arrival, state === 'confirmed' ? 'confirmed' : 'gone')
    if (!isSent) return question(arrival, 200)
    if (!isOwnButton(arrival)) return question(arrival, 403)
    try {
      return answer(arrival, await confirmations.confirm(link, now))
    } catch (error) {
      if (!(error instanceof LedgerUnavailable)) throw error
      return question(arrival, 503)
    }
  }
}

/** Whether the page's own button was pressed. Without a referrer, browsers name the origin of a form as `null`. */
function isOwnButton({ request: { headers }, ownOrigin }: SiteArrival): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = headers.get('origin')
  return origin === null || origin === 'null' || origin === ownOrigin
}

const unindexed = { 'x-robots-tag': 'noindex' }

function question(arrival: SiteArrival, status: 200 | 403 | 503): Response {
  const language = languageFor(arrival)
  const { button, question } = textsOf(language).confirm
  const { unkept, ...asked } = question
  const page = { status, language, site: arrival.site, ...asked, button }
  if (status !== 503) return smallPage({ ...page, headers: unindexed })
  return smallPage({ ...page, text: unkept, headers: { ...unindexed, 'retry-after': String(retryAfterSeconds) } })
}

/** An ended link and an erased submission look the same: nobody learns what the box has stored. */
function answer(arrival: SiteArrival, state: ConfirmationState): Response {
  const language = languageFor(arrival)
  const { site } = arrival
  const { done, ended } = textsOf(language).confirm
  const page = { language, site, links: wayOn(site, { language }), headers: unindexed }
  return state === 'confirmed'
    ? smallPage({ ...page, ...done, status: 200 })
    : smallPage({ ...page, ...ended, status: 410 })
}
