import { Elysia } from 'elysia'
import type { Endpoint } from '../operator/request-figures.ts'
import { AcceptedAnswers } from './accepted-answers.ts'
import type { ClientFileName } from './client-file.ts'
import { failedRequest } from './failed-request.ts'
import type { ListenerParts } from './listener-parts.ts'
import { metered } from './metered.ts'
import { Reception, type RouteContext, type RouteHandler } from './on-site.ts'
import { challengeRoute } from './routes/challenge-route.ts'
import { clickRoute } from './routes/click-route.ts'
import { clientFileRoute, languageFileRoute } from './routes/client-file-route.ts'
import { fileRoute, imageRoute } from './routes/download-routes.ts'
import { eventRoute } from './routes/event-route.ts'
import { fallbackRoute, previewFallbackRoute } from './routes/fallback-route.ts'
import { formRoute } from './routes/form-route.ts'
import { pageRoute } from './routes/page-route.ts'
import { preflightRoute } from './routes/preflight-route.ts'
import { previewRoutes } from './routes/preview-routes.ts'
import { runtimeConfigurationRoute } from './routes/runtime-configuration-route.ts'
import { testPageDoorway, testPageRoute } from './routes/test-page-route.ts'
import { AssetServer } from './serve-asset.ts'

export interface ListenAddress {
  host: string
  port: number
}

export interface Listener {
  /** The port that was bound. */
  port: number
  /** Stops accepting and waits for what is in flight; what is still under way after `graceMs` is cut. */
  stop(graceMs: number): Promise<void>
}

/**
 * Seconds after which a silent connection is closed, and a request body that dribbles in is cut; downloads have their
 * own (see `Downloads`).
 */
const idleTimeoutSeconds = 15

/** Starts answering. The routes are the rows of the spec's table of endpoints. @throws when the address is taken */
export function startListener(parts: ListenerParts, address: ListenAddress): Listener {
  const reception = new Reception(parts)
  const assets = new AssetServer(parts)
  const accepted = new AcceptedAnswers()
  const failed = failedRequest(parts)
  const previews = previewRoutes(parts, assets)
  const page = reception.onSite(pageRoute(parts, assets))
  const counted = metered({ ...parts, failed })
  const on = (endpoint: Endpoint, route: RouteHandler) => handler(counted(endpoint, route))
  const fallback = counted('other', reception.onSite(fallbackRoute(parts), previewFallbackRoute))
  const image = download(counted('image', reception.onSite(imageRoute(assets), previews.referredImage)), fallback)
  const file = download(counted('file', reception.onSite(fileRoute(assets), previews.referredFile)), fallback)

  const script = (name: ClientFileName) =>
    on('script', reception.onSite(clientFileRoute(name, parts.clientFiles[name])))

  const app = new Elysia({ strictPath: true, serve: { ...serveOptions(address), error: (error) => failed(error) } })
    .onError(({ error, request }) => failed(error, request))
    .post('/_svc/f/:form', on('form', reception.onSite(formRoute(parts, accepted))), unparsed)
    .options('/_svc/f/:form', on('preflight', reception.onSite(preflightRoute(parts, 'form'))))
    .post('/_svc/e', on('event', reception.onSite(eventRoute(parts, accepted))), unparsed)
    .options('/_svc/e', on('preflight', reception.onSite(preflightRoute(parts, 'event'))))
    .get('/_svc/c/:token', on('click', reception.onSite(clickRoute(parts))))
    .get('/_svc/rc', on('runtime_configuration', reception.onSite(runtimeConfigurationRoute)))
    .get('/_svc/b', on('bot_check', reception.onSite(challengeRoute(parts))))
    .get('/_svc/v1.js', script('v1.js'))
    .get('/_svc/f.js', script('f.js'))
    .get('/_svc/e.js', script('e.js'))
    .get('/_svc/b.js', script('b.js'))
    .get('/_svc/b/altcha.js', script('altcha.js'))
    .get('/_svc/b/altcha.css', script('altcha.css'))
    .get('/_svc/v1.d.ts', script('v1.d.ts'))
    .get('/_svc/l/:file', on('script', reception.onSite(languageFileRoute(parts.clientFiles))))
    .all('/_svc/img/*', image)
    .all('/_svc/file/*', file)
    .get('/_preview/test', on('preview', reception.onSite(testPageDoorway(parts), testPageRoute(parts))))
    .get('/_preview/:id', on('preview', reception.onPreviewHost(previews.page)))
    .get('/_preview/img/:id', on('preview', reception.onPreviewHost(previews.image)))
    .get('/_preview/file/:id', on('preview', reception.onPreviewHost(previews.file)))
    .get('/:slug', on('page', page))
    .get('/', on('page', page))
    .all('/*', handler(fallback))
    .listen({})

  const { server } = app
  if (server === null) throw new Error('Elysia did not start a server')
  return {
    port: server.port ?? address.port,
    stop: (graceMs) => stopGently(server, graceMs).finally(() => parts.downloads.stop()),
  }
}

/** Bodies are read by the checks, within the account's limit, and never by the framework. */
const unparsed = { parse: 'none' } as const

function serveOptions({ host, port }: ListenAddress) {
  return {
    hostname: host,
    port,
    // Two servers on one port would each see half of the requests without anybody noticing.
    reusePort: false,
    development: false,
    idleTimeout: idleTimeoutSeconds,
    // The limit is the account's, and its answer ours: Bun's own would be a bare 413 without CORS headers.
    maxRequestBodySize: Number.POSITIVE_INFINITY,
  }
}

/** Elysia reads a handler's source to see what it needs: this names all that any route uses. */
function handler(route: RouteHandler) {
  return ({ request, server, params = {} }: RouteContext) => route({ request, server, params })
}

/** A wildcard takes every method: for a `get` of its own Elysia would answer HEAD by reading the whole file. */
function download(route: RouteHandler, otherwise: RouteHandler) {
  return ({ request, server, params = {} }: RouteContext) => {
    const reads = request.method === 'GET' || request.method === 'HEAD'
    return (reads ? route : otherwise)({ request, server, params })
  }
}

async function stopGently(server: NonNullable<Elysia['server']>, graceMs: number): Promise<void> {
  let timer: Timer | undefined
  const cut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs)
  })
  await Promise.race([server.stop(), cut])
  clearTimeout(timer)
  await server.stop(true)
}
