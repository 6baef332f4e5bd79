import { cors } from '@elysiajs/cors'
import { Elysia } from 'elysia'
import type { ClientContext } from '../arrived.ts'
import type { ConsoleBox } from '../console-box.ts'
import { logFailure } from '../log-failure.ts'
import { answerCall, knownCaller } from './answer-call.ts'
import { ApiError } from './api-error.ts'
import type { ApiEndpoint } from './endpoint.ts'
import type { EndpointGroup } from './endpoints.ts'
import { openApiDocument } from './openapi.ts'

interface ApiParts {
  box: ConsoleBox
  endpointGroups: readonly EndpointGroup[]
  reached(request: Request): ClientContext
  version: string
  /** Other origins whose pages may call with a token. */
  origins: readonly string[]
}

const base = '/api/v1'

/** `/api/v1`: a route for each endpoint, and the OpenAPI document for whoever may call any. */
export function apiRoutes({ box, endpointGroups, reached, version, origins }: ApiParts) {
  const app = new Elysia({ prefix: base, strictPath: true })
    .onError(({ error }) => failure(error, box))
    .use(crossOrigin(origins))
  const document = JSON.stringify(openApiDocument(endpointGroups, version))
  const endpoints = endpointGroups.flatMap((group) => group.endpoints)
  for (const endpoint of endpoints) {
    app.route(
      endpoint.method,
      endpoint.path,
      ({ request, params = {} }: { request: Request; params?: Record<string, string> }) =>
        answerCall(endpoint, { request, params, ...reached(request) }, box),
      { parse: 'none' },
    )
  }
  for (const [path, methods] of methodsByPath(endpoints)) {
    app.all(path, () => errorAnswer(new ApiError('method_not_allowed', undefined, { allow: methods.join(', ') })))
  }
  app.get('/openapi.json', async ({ request }) => {
    await knownCaller({ method: 'GET', path: '/openapi.json' }, { request, ...reached(request) }, box)
    return new Response(document, { headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } })
  })
  return app.all('/*', () => errorAnswer(new ApiError('not_found')))
}

/** These origins call with a token, never with a session: without credentials, a browser sends no cookie (Fetch, section 3.2). */
const crossOrigin = (origins: readonly string[]) =>
  cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-match'],
    exposeHeaders: ['etag', 'link', 'retry-after', 'x-capture-cluster', 'x-capture-notices'],
    credentials: false,
    maxAge: 600,
  })

function methodsByPath(endpoints: readonly ApiEndpoint[]): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { path, method } of endpoints) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}

/** The answer shows nothing of an internal error. */
function failure(error: unknown, { log }: Pick<ConsoleBox, 'log'>): Response {
  if (error instanceof ApiError) return errorAnswer(error)
  logFailure(log, 'A call of the console’s API failed', error)
  return errorAnswer(new ApiError('internal'))
}

const errorAnswer = ({ code, message, status, headers, details }: ApiError): Response =>
  Response.json(
    { error: { code, message, ...details } },
    { status, headers: { 'cache-control': 'no-store', ...headers } },
  )
