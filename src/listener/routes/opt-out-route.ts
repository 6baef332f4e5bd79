import { readReplyOptOut } from '../../account/reply-opt-out.ts'
import { textsOf } from '../../language/language.ts'
import { LedgerUnavailable } from '../../ledger/ledger.ts'
import { methodNotAllowed } from '../answer/answers.ts'
import { languageFor, smallPage, wayOn } from '../answer/small-page.ts'
import type { SiteArrival } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { notHere } from '../router.ts'

const retryAfterSeconds = 2

/**
 * `/_svc/u/<token>`: where a visitor has no more replies (RFC 8058). GET shows a button and changes nothing, since programs
 * follow the links of a mail; POST is what the button and mail programs send. Its body is not read: the token says it all.
 */
export function optOutRoute({ directory, optOuts, clock }: Pick<ListenerParts, 'directory' | 'optOuts' | 'clock'>) {
  return async (arrival: SiteArrival, { id: token = '' }: Record<string, string>): Promise<Response> => {
    const { request, site } = arrival
    const accountId = site.account.id
    const mark = readReplyOptOut(token, { accountId, keys: directory.signingKeys, now: clock.now() })
    if (mark === null) return notHere(arrival)
    if (request.method !== 'POST') return isReading(request) ? question(arrival) : methodNotAllowed('GET, HEAD, POST')
    try {
      await optOuts.add(accountId, mark)
    } catch (error) {
      if (!(error instanceof LedgerUnavailable)) throw error
      return question(arrival, true)
    }
    return done(arrival)
  }
}

const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

/** @param isUnkept whether the button was pressed, in vain */
function question(arrival: SiteArrival, isUnkept = false): Response {
  const language = languageFor(arrival)
  const { unkept, ...asked } = textsOf(language).reply.question
  const page = { language, site: arrival.site, ...asked }
  if (!isUnkept) return smallPage({ ...page, status: 200 })
  return smallPage({ ...page, status: 503, text: unkept, headers: { 'retry-after': String(retryAfterSeconds) } })
}

function done(arrival: SiteArrival): Response {
  const language = languageFor(arrival)
  const { site } = arrival
  return smallPage({ status: 200, language, site, ...textsOf(language).reply.done, links: wayOn(site, { language }) })
}
