import { Elysia, type ElysiaConfig } from 'elysia'
import type { Endpoint } from '../operator/request-figures.ts'
import { AcceptedAnswers } from './accepted-answers.ts'
import type { Scheme } from './arrival.ts'
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
import { nameProofRoute } from './routes/name-proof-route.ts'
import { pageRoute } from './routes/page-route.ts'
import { preflightRoute } from './routes/preflight-route.ts'
import { previewRoutes } from './routes/preview-routes.ts'
import { runtimeConfigurationRoute } from './routes/runtime-configuration-route.ts'
import { testPageDoorway, testPageRoute } from './routes/test-page-route.ts'
import { AssetServer } from './serve-asset.ts'

/**
 * The routes are the rows of the spec's table of endpoints.
 *
 * @param scheme what the listener's own connections speak
 * @param serve options of Bun's server, where Elysia starts it
 */
export function captureRoutes(parts: ListenerParts, scheme: Scheme, serve: ElysiaConfig<''>['serve'] = {}) {
  const reception = new Reception(parts, scheme)
  const assets = new AssetServer(parts)
  const accepted = new AcceptedAnswers()
  const failed = failedRequest(parts)
  const previews = previewRoutes(parts, assets)
  const page = reception.onSite(pageRoute(parts, assets))
  const proof = nameProofRoute(parts)
  const counted = metered({ ...parts, failed })
  const on = (endpoint: Endpoint, route: RouteHandler) => handler(counted(endpoint, route))
  const fallback = counted('other', reception.onSite(fallbackRoute(parts), previewFallbackRoute))
  const image = download(counted('image', reception.onSite(imageRoute(assets), previews.referredImage)), fallback)
  const file = download(counted('file', reception.onSite(fileRoute(assets), previews.referredFile)), fallback)

  const script = (name: ClientFileName) =>
    on('script', reception.onSite(clientFileRoute(name, parts.clientFiles[name])))

  return new Elysia({ strictPath: true, serve: { ...serve, error: (error) => failed(error) } })
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
    .get('/.well-known/capture/:nonce', on('other', reception.onSite(proof, proof)))
    .get('/:slug', on('page', page))
    .get('/', on('page', page))
    .all('/*', handler(fallback))
}

/** Bodies are read by the checks, within the account's limit, and never by the framework. */
const unparsed = { parse: 'none' } as const

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
