import { textsOf } from '../../language/language.ts'
import { targetUrl } from '../../lib/request-target.ts'
import { methodNotAllowed } from '../answer/answers.ts'
import { languageFor, smallPage, wayOn } from '../answer/small-page.ts'
import type { Arrival, SiteArrival } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { notHere, type SiteHandler } from '../router.ts'

const capturePath = /^\/_svc\/(?:e|f\/[^/]+)$/
const readPath =
  /^\/(?:_svc\/(?:rc|v1\.js|v1\.d\.ts|[ef]\.js|l\/[a-z]+\.js|b|b\.js|b\/altcha\.(?:js|css)|c\/[^/]+|img\/.+|file\/.+))$/
const previewPath = /^\/_preview\/(?:(?:img|file|asset)\/)?[^/]+$/
const pagePath = /^\/(?:[^/]*)$/

/** What no route takes: a wrong method on a known path (405), a redirect, or nothing (404). */
export function fallbackRoute({ refusals }: Pick<ListenerParts, 'refusals'>, noPage: SiteHandler): SiteHandler {
  return (arrival, params) => {
    const { request, site } = arrival
    const { pathname } = targetUrl(request)
    const { method } = request
    if (capturePath.test(pathname)) return methodNotAllowed('POST, OPTIONS')
    const reads = method === 'GET' || method === 'HEAD'
    if (!reads && readPath.test(pathname)) return methodNotAllowed('GET, HEAD')
    if (reads || !pagePath.test(pathname) || !isPage(pathname.slice(1), site)) return noPage(arrival, params)
    if (method === 'POST') {
      refusals.add(site.account.id, { endpoint: 'page', check: 'no_script', origin: request.headers.get('origin') })
    }
    return postedToPage(arrival)
  }
}

/** The same on the preview host. */
export function previewFallbackRoute(arrival: Arrival): Response {
  const { request } = arrival
  const reads = request.method === 'GET' || request.method === 'HEAD'
  return !reads && previewPath.test(targetUrl(request).pathname) ? methodNotAllowed('GET, HEAD') : notHere(arrival)
}

const isPage = (slug: string, { account, pages }: SiteArrival['site']): boolean =>
  slug === '' ? account.settings.home !== null : pages.has(slug)

/** A form without its script ends up here: say plainly that nothing arrived. */
function postedToPage(arrival: SiteArrival): Response {
  const { site } = arrival
  const language = languageFor(arrival)
  const { title, text: notSent, orContact } = textsOf(language).smallPages.notSent
  const text = site.account.settings.contact === null ? notSent : `${notSent} ${orContact}`
  const headers = { allow: 'GET, HEAD' }
  return smallPage({ status: 405, language, site, title, text, links: wayOn(site, { language }).reverse(), headers })
}
