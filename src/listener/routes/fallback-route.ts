import { targetUrl } from '../../lib/request-target.ts'
import { methodNotAllowed } from '../answers.ts'
import type { Arrival, SiteArrival } from '../arrival.ts'
import { notHere } from '../on-site.ts'
import { smallPage } from '../small-page.ts'

const capturePath = /^\/_svc\/(?:e|f\/[^/]+)$/
const readPath =
  /^\/_svc\/(?:rc|v1\.js|v1\.d\.ts|[ef]\.js|l\/[a-z]+\.js|b|b\.js|b\/altcha\.(?:js|css)|c\/[^/]+|img\/.+|file\/.+)$/
const previewPath = /^\/_preview\/(?:(?:img|file)\/)?[^/]+$/
const pagePath = /^\/(?:[^/]*)$/

/** What no route takes: a wrong method on a known path (405), or nothing (404). */
export function fallbackRoute({ request, site }: SiteArrival): Response {
  const { pathname } = targetUrl(request)
  const { method } = request
  if (capturePath.test(pathname)) return methodNotAllowed('POST, OPTIONS')
  const reads = method === 'GET' || method === 'HEAD'
  if (!reads && readPath.test(pathname)) return methodNotAllowed('GET, HEAD')
  if (!reads && pagePath.test(pathname) && isPage(pathname.slice(1), site)) return postedToPage()
  return notHere()
}

/** The same on the preview host. */
export function previewFallbackRoute({ request }: Arrival): Response {
  const reads = request.method === 'GET' || request.method === 'HEAD'
  return !reads && previewPath.test(targetUrl(request).pathname) ? methodNotAllowed('GET, HEAD') : notHere()
}

const isPage = (slug: string, { account, pages }: SiteArrival['site']): boolean =>
  slug === '' ? account.settings.home !== null : pages.has(slug)

/** A form without its script ends up here: say plainly that nothing arrived. */
const postedToPage = (): Response =>
  smallPage({
    status: 405,
    title: 'Nothing was sent',
    text: 'This form needs JavaScript to be sent. Please go back, switch JavaScript on for this site, and send it again.',
    headers: { allow: 'GET, HEAD' },
  })
