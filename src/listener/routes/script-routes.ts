import { formIdsMax, runtimeConfigurationJson } from '../../account/runtime-configuration.ts'
import { challengeBudgets, challengeMaker } from '../../capture/bot-check/challenges.ts'
import { withinBudgets } from '../../capture/budgets.ts'
import { isOriginAllowed } from '../../capture/checks/allowed-origin.ts'
import { Refusal } from '../../capture/refusal.ts'
import { languages } from '../../language/languages.ts'
import { targetUrl } from '../../lib/request-target.ts'
import { AcceptedEncodings } from '../answer/accepted.ts'
import { errorJson, json, refusalAnswer, unavailableAnswer } from '../answer/answers.ts'
import { type SiteArrival, siteRequestOf } from '../arrival.ts'
import { notModified } from '../assets/serve-asset.ts'
import type { ClientFile, ClientFileName, ListenerParts } from '../listener-parts.ts'
import { notHere } from '../router.ts'

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  // Of `v1.d.ts`, for people to read or save; a browser would take `video/mp2t` for granted.
  '.ts': 'text/plain; charset=utf-8',
}

/** `GET /_svc/v1.js`, and what it loads when a page needs it (docs/script.md). */
export function clientFileRoute(name: ClientFileName, file: ClientFile) {
  const encodings = new AcceptedEncodings()
  const shared = {
    'content-type': mediaTypes[name.slice(name.lastIndexOf('.'))] ?? 'application/octet-stream',
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  }
  const variants = {
    identity: variant(new TextEncoder().encode(file.text), { ...shared, etag: `"${file.sha256}"` }),
    gzip: variant(Buffer.from(file.gzip, 'base64'), encoded(shared, file, 'gzip')),
    br: variant(Buffer.from(file.br, 'base64'), encoded(shared, file, 'br')),
  }
  return ({ request }: SiteArrival): Response => {
    const [best = 'identity'] = encodings.of(request.headers.get('accept-encoding'))
    const { body, headers, etag } = variants[best]
    if (notModified(request, etag)) return new Response(null, { status: 304, headers })
    if (request.method === 'HEAD') {
      return new Response(null, { headers: { ...headers, 'content-length': String(body.size) } })
    }
    return new Response(body, { headers })
  }
}

/** `GET /_svc/l/<language>.js`: what the script says to visitors, in the account's language where we do not speak theirs. */
export function languageFileRoute(files: Readonly<Record<ClientFileName, ClientFile>>) {
  const routes = new Map<string, ReturnType<typeof clientFileRoute>>(
    languages.map((language) => [language, clientFileRoute(`l/${language}.js`, files[`l/${language}.js`])]),
  )
  return (arrival: SiteArrival): Response => {
    const [, language = ''] = /^\/_svc\/l\/([a-z]{2,8})\.js$/.exec(targetUrl(arrival.request).pathname) ?? []
    const route = routes.get(language) ?? routes.get(arrival.site.account.settings.language ?? 'en')
    return language === '' || route === undefined ? notHere(arrival) : route(arrival)
  }
}

interface EtagHeaders extends Record<string, string> {
  etag: string
}

const encoded = (shared: Record<string, string>, file: ClientFile, encoding: 'gzip' | 'br'): EtagHeaders => ({
  ...shared,
  etag: `"${file.sha256}-${encoding}"`,
  'content-encoding': encoding,
})

/** A Blob: an answer shares its bytes, where it would copy an array's. */
const variant = (bytes: Uint8Array<ArrayBuffer>, headers: EtagHeaders) => ({
  body: new Blob([bytes]),
  headers,
  etag: headers.etag,
})

const anyOrigin = { 'access-control-allow-origin': '*', vary: 'Origin' }
const cacheable = { ...anyOrigin, 'cache-control': 'public, max-age=60' }

/** `GET /_svc/rc?f=<id1>,<id2>,…`: public on purpose, answers any origin (spec, CORS behaviour). */
export function runtimeConfigurationRoute({ request, site, ownOrigin }: SiteArrival): Response {
  const formIds = requestedForms(request.url)
  if (formIds.length > formIdsMax) {
    return json(errorJson('validation', `Ask for at most ${formIdsMax} form ids at once.`), 400, anyOrigin)
  }
  const origin = request.headers.get('origin')
  const authorised = isOriginAllowed(origin, { account: site.account, ownOrigin })
  return json(runtimeConfigurationJson(site.account, formIds, authorised), 200, cacheable)
}

/** Repeated ids count once; none at all is an empty list. */
function requestedForms(url: string): string[] {
  const query = url.indexOf('?')
  if (query < 0) return []
  const listed = new URLSearchParams(url.slice(query)).getAll('f').join(',')
  return [...new Set(listed.split(',').filter((id) => id !== ''))]
}

/**
 * Like the runtime configuration, it answers every origin without credentials: a challenge reveals nothing, and its solution is
 * useful only for a form, which checks the origin itself.
 */
const publicHeaders = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After' }

/** `GET /_svc/b`: a fresh challenge of the self-hosted bot check (docs/forms.md). */
export function challengeRoute(parts: ListenerParts) {
  const { budgets, clock, directory, limits, refusals } = parts
  const freshChallenge = challengeMaker()
  return async (arrival: SiteArrival): Promise<Response> => {
    const { request } = arrival
    const asked = siteRequestOf(arrival, parts)
    if (asked.account.settings.botCheck.provider !== 'altcha') {
      return json(errorJson('not_found', 'This account’s bot check is not self-hosted.'), 404, publicHeaders)
    }
    try {
      await withinBudgets(budgets, challengeBudgets(asked, limits))
      const challenge = await freshChallenge(asked.account, directory.signingKeys, clock.now())
      return challenge === null ? unavailableAnswer(publicHeaders) : json(JSON.stringify(challenge), 200, publicHeaders)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusals.add(asked.account.id, { endpoint: 'form', check: error.check, origin: request.headers.get('origin') })
      return refusalAnswer(error, publicHeaders)
    }
  }
}
