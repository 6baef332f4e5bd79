import { Elysia } from 'elysia'
import type { Clock } from '../../lib/clock.ts'
import { requestTarget } from '../../lib/request-target.ts'
import type { Endpoint, RequestFigures } from '../../operator/figures.ts'
import type { Scheme } from '../arrival.ts'
import { AssetServer } from '../assets/serve-asset.ts'
import { failedRequest } from '../failed-request.ts'
import type { ClientFileName, ListenerParts } from '../listener-parts.ts'
import type { PeerSource } from '../peer-source.ts'
import { type RouteContext, type RouteHandler, SiteRouter } from '../router.ts'
import { AcceptedAnswers, eventRoute, formRoute, isFormId, preflightRoute, uploadRoute } from './capture-routes.ts'
import { clickRoute } from './click-route.ts'
import { confirmationRoute } from './confirmation-route.ts'
import { downloadRoute } from './download-routes.ts'
import { fallbackRoute, previewFallbackRoute } from './fallback-route.ts'
import { fileLinkRoute } from './file-link-route.ts'
import { noPage } from './no-page.ts'
import { optOutRoute } from './opt-out-route.ts'
import { pageRoute } from './page-route.ts'
import { previewRoutes } from './preview-routes.ts'
import { challengeRoute, clientFileRoute, languageFileRoute, runtimeConfigurationRoute } from './script-routes.ts'
import { testPageOnDomain, testPageOnPreviewHost } from './test-page-route.ts'
import { acmeChallengeRoute, nameProofRoute } from './well-known-routes.ts'

/**
 * The routes of the spec's table of endpoints.
 *
 * @param scheme the scheme of the listener's own connections
 */
export function captureRoutes(parts: ListenerParts, scheme: Scheme): Answering {
  const router = new SiteRouter(parts, scheme)
  const assets = new AssetServer(parts)
  const accepted = new AcceptedAnswers()
  const elsewhere = noPage(parts, assets)
  const failed = failedRequest(parts)
  const previews = previewRoutes(parts, assets)
  const proof = nameProofRoute(parts)
  const counted = metered({ ...parts, failed })
  const form = counted('form', router.onSite(formRoute(parts, accepted)))
  const event = counted('event', router.onSite(eventRoute(parts, accepted)))
  const upload = counted('upload', router.onSite(uploadRoute(parts, accepted)))
  const optOut = counted('other', router.onSite(optOutRoute(parts)))
  const click = counted('click', router.onSite(clickRoute(parts)))
  const page = counted('page', router.onSite(pageRoute(parts, assets, elsewhere)))
  const preflight = (endpoint: 'form' | 'event') => counted('preflight', router.onSite(preflightRoute(parts, endpoint)))
  const fallback = counted('other', router.onSite(fallbackRoute(parts, elsewhere), previewFallbackRoute))

  const app = new Elysia({ strictPath: true }).onError(({ error, request }) => failed(error, request))
  const reads = (path: string, route: RouteHandler) => {
    const handle = reading(route, fallback)
    app.all(path, handle)
    // A path without parameters needs it said.
    if (!/[:*]/.test(path)) app.head(path, handle)
  }
  const get = (path: string, endpoint: Endpoint, route: RouteHandler) => reads(path, counted(endpoint, route))
  const script = (path: string, name: ClientFileName) =>
    get(path, 'script', router.onSite(clientFileRoute(name, parts.clientFiles[name])))

  app.post('/_svc/f/:form', handler(form), unparsed)
  app.options('/_svc/f/:form', handler(preflight('form')))
  app.post('/_svc/e', handler(event), unparsed)
  app.options('/_svc/e', handler(preflight('event')))
  reads('/_svc/c/:token', click)
  app.all(
    '/_svc/u/:id',
    handler(({ params, ...context }) => (isFormId(params.id) ? upload : optOut)({ params, ...context })),
    unparsed,
  )
  app.all('/_svc/confirm/:token', handler(counted('other', router.onSite(confirmationRoute(parts)))), unparsed)
  app.all('/_svc/d/:token', handler(counted('other', router.onSite(fileLinkRoute(parts)))), unparsed)
  get('/_svc/rc', 'runtime_configuration', router.onSite(runtimeConfigurationRoute))
  get('/_svc/b', 'bot_check', router.onSite(challengeRoute(parts)))
  script('/_svc/v1.js', 'v1.js')
  script('/_svc/f.js', 'f.js')
  script('/_svc/e.js', 'e.js')
  script('/_svc/u.js', 'u.js')
  script('/_svc/b.js', 'b.js')
  script('/_svc/b/altcha.js', 'altcha.js')
  script('/_svc/b/altcha.css', 'altcha.css')
  script('/_svc/v1.d.ts', 'v1.d.ts')
  get('/_svc/l/:file', 'script', router.onSite(languageFileRoute(parts.clientFiles)))
  get('/_svc/img/*', 'image', router.onSite(downloadRoute(assets, 'image', elsewhere), previews.referredImage))
  get('/_svc/file/*', 'file', router.onSite(downloadRoute(assets, 'file', elsewhere), previews.referredFile))
  get('/assets/*', 'asset', router.onSite(downloadRoute(assets, 'asset', elsewhere), previews.referredAsset))
  get('/_preview/test', 'preview', router.onSite(testPageOnDomain(parts, elsewhere), testPageOnPreviewHost(parts)))
  get('/_preview/:id', 'preview', router.onSite(elsewhere, previews.page))
  get('/_preview/img/:id', 'preview', router.onSite(elsewhere, previews.image))
  get('/_preview/file/:id', 'preview', router.onSite(elsewhere, previews.file))
  get('/_preview/asset/:id', 'preview', router.onSite(elsewhere, previews.asset))
  get('/_preview/site/:signed/*', 'preview', router.onSite(elsewhere, previews.signedSite))
  get('/_preview/assets/*', 'preview', router.onSite(elsewhere, previews.referredAsset))
  get('/.well-known/acme-challenge/:token', 'other', router.onAnyHost(acmeChallengeRoute(parts.challenges)))
  get('/.well-known/capture/:nonce', 'other', router.onSite(proof, proof))
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

/** The routes that nearly all requests of a busy box are for. */
export interface DirectRoutes {
  form: RouteHandler
  event: RouteHandler
  click: RouteHandler
  page: RouteHandler
}

const eventPath = '/_svc/e'
const formStart = '/_svc/f/'
const clickStart = '/_svc/c/'

/** A segment that decoding leaves as it is. */
const plainSegment = /^[\w.-]+$/

/**
 * Routes a capture or a page without the framework, whose way to a handler takes up to a tenth of what is ours of a
 * request (docs/decisions/0049). `null`: the framework routes the request, as it also would this one.
 */
export function directRoutes({ form, event, click, page }: DirectRoutes) {
  return (request: Request, server: PeerSource): Response | Promise<Response> | null => {
    const { method } = request
    if (method === 'POST') {
      const path = pathOf(request)
      if (path === eventPath) return event({ request, server, params: {} })
      const id = segmentBehind(formStart, path)
      return id === null ? null : form({ request, server, params: { form: id } })
    }
    if (method !== 'GET') return null
    const path = pathOf(request)
    if (path === '/') return page({ request, server, params: {} })
    const token = segmentBehind(clickStart, path)
    if (token !== null) return click({ request, server, params: { token } })
    const slug = segmentBehind('/', path)
    return slug === null ? null : page({ request, server, params: { slug } })
  }
}

function pathOf(request: Request): string {
  const target = requestTarget(request)
  const queryMark = target.indexOf('?')
  return queryMark === -1 ? target : target.slice(0, queryMark)
}

/** The one segment behind the start of a path; `null`: there is none, there are more, or it wants decoding. */
function segmentBehind(start: string, path: string): string | null {
  if (!path.startsWith(start)) return null
  const segment = path.slice(start.length)
  return plainSegment.test(segment) ? segment : null
}

interface MeterParts {
  requests: RequestFigures
  clock: Clock
  failed: (error: unknown, request: Request) => Response
}

/** Counts a route's answers and their durations under the endpoint's name. */
export function metered({ requests, clock, failed }: MeterParts) {
  return (endpoint: Endpoint, route: RouteHandler): RouteHandler => {
    const figures = requests.of(endpoint)
    const noted = (response: Response, startedMs: number): Response => {
      requests.inFlight--
      figures.note(response.status, clock.monotonicMs() - startedMs)
      return response
    }
    return (context: RouteContext) => {
      const startedMs = clock.monotonicMs()
      requests.inFlight++
      const answered = begin(route, context, failed)
      if (!(answered instanceof Promise)) return noted(answered, startedMs)
      const { request } = context
      return answered.then(
        (response) => noted(response, startedMs),
        (error) => noted(failed(error, request), startedMs),
      )
    }
  }
}

function begin(route: RouteHandler, context: RouteContext, failed: MeterParts['failed']): Response | Promise<Response> {
  try {
    return route(context)
  } catch (error) {
    return failed(error, context.request)
  }
}
