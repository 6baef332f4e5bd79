import { Elysia } from 'elysia'
import { ApiError } from './api/api-error.ts'
import { apiRoutes } from './api/api-routes.ts'
import { endpointGroups } from './api/endpoints.ts'
import type { Arrived, ClientContext } from './arrived.ts'
import type { ConsoleBox } from './console-box.ts'
import { logFailure } from './log-failure.ts'
import { type BuiltScripts, fileAnswer } from './look/files.ts'
import { answerPage } from './page/answer-page.ts'
import { messagePage } from './page/page-http.ts'
import { localeOfStranger } from './page/page-locale.ts'
import { openPages, pages } from './page/pages.ts'
import { answerNothing } from './page/within-shell.ts'
import { clientAddressHeader, type ProxySocket, proxySecretHeader, schemeHeader } from './proxy-socket.ts'

interface ConsoleServer {
  stop(): Promise<void>
}

/**
 * A receiver that is tried may take 15 s, and a download waits for its reader: the listeners bound what clients hold open. A
 * request's own timeout would end with the beginning of its answer; Bun's types know the option of ports alone.
 */
const patient: object = { idleTimeout: 0 }

/** Answers the requests that the serving thread passes on. */
export function startConsoleServer(parts: ConsoleParts, { socket, secret }: ProxySocket): ConsoleServer {
  const app = consoleApp(parts, reached)
  const answer = async (request: Request) => {
    const given = protectedAnswer(await app.fetch(request))
    // Whoever reads "done" may rely on it, should this machine die. Pages say it where they may not, as long as that is so.
    if (request.method !== 'GET' && (await parts.box.changes?.share()) === false)
      given.headers.set('x-capture-cluster', 'behind')
    return given
  }
  const server = Bun.serve({
    unix: socket,
    development: false,
    // Endpoints that take large bodies limit them themselves, as they arrive.
    maxRequestBodySize: Number.POSITIVE_INFINITY,
    ...patient,
    fetch: (request) =>
      request.headers.get(proxySecretHeader) === secret ? answer(request) : new Response(null, { status: 404 }),
  })
  return { stop: () => server.stop(true) }
}

/** For answers that say nothing of the kind: data and files, which no page is to frame, run or read for another site. */
const usualProtection = Object.entries({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
})

function protectedAnswer(answer: Response): Response {
  for (const [name, value] of usualProtection) if (!answer.headers.has(name)) answer.headers.set(name, value)
  return answer
}

const reached = ({ headers }: Request): ClientContext => ({
  address: headers.get(clientAddressHeader) ?? '',
  secure: headers.get(schemeHeader) === 'https',
})

interface ConsoleParts extends BuiltScripts {
  box: ConsoleBox
  version: string
  /** Other origins whose pages may call the API with a token. */
  origins: readonly string[]
}

interface RouteContext {
  request: Request
  params?: Record<string, string>
}

/** Every route of the console. @param reached how a request arrived: through the public listeners, or on this machine */
function consoleApp({ box, version, origins, ...built }: ConsoleParts, reached: (request: Request) => ClientContext) {
  const app = new Elysia({ strictPath: true }).onError(({ error, request }) => failed(error, request, box))
  // An app of its own, since a plugin's hooks on requests hold for the whole app: no page answers another origin.
  const api = apiRoutes({ box, endpointGroups, reached, version, origins })
  app.all('/api/*', ({ request }) => api.fetch(request), { parse: 'none' })
  const route = (path: string, answer: (asked: Arrived) => Promise<Response>, method: 'GET' | 'POST') =>
    app.route(
      method,
      path,
      ({ request, params = {} }: RouteContext) => answer({ request, params, ...reached(request) }),
      {
        parse: 'none',
      },
    )
  for (const page of pages) {
    route(page.path, (asked) => answerPage(page, asked, box), 'GET')
    if (page.forms !== undefined) route(page.path, (asked) => answerPage(page, asked, box), 'POST')
  }
  for (const page of openPages) {
    const { show, act } = page
    if (show !== undefined) route(page.path, (asked) => show(asked, box), 'GET')
    if (act !== undefined) route(page.path, (asked) => act(asked, box), 'POST')
  }
  const nothingHere = (request: Request) => answerNothing({ request, ...reached(request) }, box)
  app.get('/_/:file', ({ request }) => fileAnswer(new URL(request.url).pathname, built) ?? nothingHere(request))
  return app.all('/*', ({ request }) => nothingHere(request))
}

function failed(error: unknown, request: Request, { log }: Pick<ConsoleBox, 'log'>): Response {
  // Nothing is looked up any more: that may be what failed.
  const locale = localeOfStranger(request)
  if (error instanceof ApiError && error.code === 'too_large') return messagePage('tooLarge', locale)
  logFailure(log, 'A page of the console failed', error)
  return messagePage('failed', locale)
}
