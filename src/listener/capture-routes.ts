import { Elysia } from 'elysia'
import type { Endpoint } from '../operator/request-figures.ts'
import { AcceptedAnswers } from './accepted-answers.ts'
import type { Scheme } from './arrival.ts'
import type { ClientFileName } from './client-file.ts'
import { directRoutes } from './direct-routes.ts'
import { failedRequest } from './failed-request.ts'
import type { ListenerParts } from './listener-parts.ts'
import { metered } from './metered.ts'
import { Reception, type RouteContext, type RouteHandler } from './on-site.ts'
import { acmeChallengeRoute } from './routes/acme-challenge-route.ts'
import { challengeRoute } from './routes/challenge-route.ts'
import { clickRoute } from './routes/click-route.ts'
import { clientFileRoute, languageFileRoute } from './routes/client-file-route.ts'
import { downloadRoute } from './routes/download-routes.ts'
import { eventRoute } from './routes/event-route.ts'
import { fallbackRoute, previewFallbackRoute } from './routes/fallback-route.ts'
import { formRoute } from './routes/form-route.ts'
import { nameProofRoute } from './routes/name-proof-route.ts'
import { optOutRoute } from './routes/opt-out-route.ts'
import { pageRoute } from './routes/page-route.ts'
import { preflightRoute } from './routes/preflight-route.ts'
import { previewRoutes } from './routes/preview-routes.ts'
import { runtimeConfigurationRoute } from './routes/runtime-configuration-route.ts'
import { testPageDoorway, testPageOnPreviewHost } from './routes/test-page-route.ts'
import { AssetServer } from './serve-asset.ts'

/**
 * The routes of the spec's table of endpoints.
 *
 * @param scheme the scheme of the listener's own connections
 */
export function captureRoutes(parts: ListenerParts, scheme: Scheme): Answering {
  const reception = new Reception(parts, scheme)
  const assets = new AssetServer(parts)
  const accepted = new AcceptedAnswers()
  const failed = failedRequest(parts)
  const previews = previewRoutes(parts, assets)
  const proof = nameProofRoute(parts)
  const counted = metered({ ...parts, failed })
  const form = counted('form', reception.onSite(formRoute(parts, accepted)))
  const event = counted('event', reception.onSite(eventRoute(parts, accepted)))
  const click = counted('click', reception.onSite(clickRoute(parts)))
  const page = counted('page', reception.onSite(pageRoute(parts, assets)))
  const preflight = (endpoint: 'form' | 'event') =>
    counted('preflight', reception.onSite(preflightRoute(parts, endpoint)))
  const fallback = counted('other', reception.onSite(fallbackRoute(parts), previewFallbackRoute))

  const app = new Elysia({ strictPath: true }).onError(({ error, request }) => failed(error, request))
  const reads = (path: string, route: RouteHandler) => {
    const handle = reading(route, fallback)
    app.all(path, handle)
    // A path without parameters needs it said.
    if (!/[:*]/.test(path)) app.head(path, handle)
  }
  const get = (path: string, endpoint: Endpoint, route: RouteHandler) => reads(path, counted(endpoint, route))
  const script = (path: string, name: ClientFileName) =>
    get(path, 'script', reception.onSite(clientFileRoute(name, parts.clientFiles[name])))

  app.post('/_svc/f/:form', handler(form), unparsed)
  app.options('/_svc/f/:form', handler(preflight('form')))
  app.post('/_svc/e', handler(event), unparsed)
  app.options('/_svc/e', handler(preflight('event')))
  reads('/_svc/c/:token', click)
  app.all('/_svc/u/:token', handler(counted('other', reception.onSite(optOutRoute(parts)))), unparsed)
  get('/_svc/rc', 'runtime_configuration', reception.onSite(runtimeConfigurationRoute))
  get('/_svc/b', 'bot_check', reception.onSite(challengeRoute(parts)))
  script('/_svc/v1.js', 'v1.js')
  script('/_svc/f.js', 'f.js')
  script('/_svc/e.js', 'e.js')
  script('/_svc/b.js', 'b.js')
  script('/_svc/b/altcha.js', 'altcha.js')
  script('/_svc/b/altcha.css', 'altcha.css')
  script('/_svc/v1.d.ts', 'v1.d.ts')
  get('/_svc/l/:file', 'script', reception.onSite(languageFileRoute(parts.clientFiles)))
  get('/_svc/img/*', 'image', reception.onSite(downloadRoute(assets, 'images'), previews.referredImage))
  get('/_svc/file/*', 'file', reception.onSite(downloadRoute(assets, 'files'), previews.referredFile))
  get('/_preview/test', 'preview', reception.onSite(testPageDoorway(parts), testPageOnPreviewHost(parts)))
  get('/_preview/:id', 'preview', reception.onPreviewHost(previews.page))
  get('/_preview/img/:id', 'preview', reception.onPreviewHost(previews.image))
  get('/_preview/file/:id', 'preview', reception.onPreviewHost(previews.file))
  get('/.well-known/acme-challenge/:token', 'other', reception.onAnyHost(acmeChallengeRoute(parts.challenges)))
  get('/.well-known/capture/:nonce', 'other', reception.onSite(proof, proof))
  reads('/:slug', page)
  reads('/', page)
  app.all('/*', handler(fallback))

  const direct = directRoutes({ form, event, click, page })
  return (request, server) => {
    const answer = direct(request, server)
    if (answer !== null) return answer
    // Handlers ask it for the peer of their request, and change its time limit.
    app.server = server
    return app.fetch(request)
  }
}

/** Answers a request that came over a server. */
export type Answering = (request: Request, server: Bun.Server<undefined>) => Response | Promise<Response>

/** The checks read bodies, within the account's limit; the framework never does. */
const unparsed = { parse: 'none' } as const

/** Elysia inspects a handler's source for what it needs, so this one names everything that any route uses. */
function handler(route: RouteHandler) {
  return ({ request, server, params = {} }: RawContext) => route({ request, server, params: named(params) })
}

/** Elysia's parameters. `null`: malformed percent-encoding. */
type RawContext = Omit<RouteContext, 'params'> & { params?: Record<string, string | null> }

/** Replaces a malformed parameter. No page, token or id has this name. */
const unreadable = '%'

function named(params: Record<string, string | null>): Record<string, string> {
  for (const name in params) params[name] ??= unreadable
  return params as Record<string, string>
}

/** Handles GET and HEAD. Elysia's own HEAD for a `get` would read a whole file and lose a page's length. */
function reading(route: RouteHandler, otherwise: RouteHandler) {
  return ({ request, server, params = {} }: RawContext) => {
    const reads = request.method === 'GET' || request.method === 'HEAD'
    return (reads ? route : otherwise)({ request, server, params: named(params) })
  }
}
