import { readReplyOptOut } from '../../account/reply-opt-out.ts'
import { LedgerUnavailable } from '../../ledger/ledger.ts'
import { acceptedLanguage } from '../accepted-language.ts'
import { methodNotAllowed } from '../answers.ts'
import type { SiteArrival } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { notHere } from '../on-site.ts'
import { optOutWords } from '../opt-out-words.ts'
import { smallPage } from '../small-page.ts'
import { wayOn } from '../way-on.ts'

const retryAfterSeconds = 2

/**
 * `/_svc/u/<token>`: where a visitor has no more replies (RFC 8058). GET shows a button and changes nothing, since programs
 * follow the links of a mail; POST is what the button and mail programs send. Its body is not read: the token says it all.
 */
export function optOutRoute({ directory, optOuts, clock }: Pick<ListenerParts, 'directory' | 'optOuts' | 'clock'>) {
  return async (arrival: SiteArrival, { token = '' }: Record<string, string>): Promise<Response> => {
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
function question({ request, site }: SiteArrival, isUnkept = false): Response {
  const language = acceptedLanguage(request)
  const { title, text, button, unkept } = optOutWords[language]
  const page = { language, site, title, button }
  if (!isUnkept) return smallPage({ ...page, status: 200, text })
  return smallPage({ ...page, status: 503, text: unkept, headers: { 'retry-after': String(retryAfterSeconds) } })
}

function done({ request, site }: SiteArrival): Response {
  const language = acceptedLanguage(request)
  const { doneTitle: title, done: text } = optOutWords[language]
  return smallPage({ status: 200, language, site, title, text, links: wayOn(site, { language }) })
}
