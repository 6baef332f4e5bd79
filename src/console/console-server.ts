import type { ClientContext } from './arrived.ts'
import { type ConsoleParts, consoleApp } from './console-app.ts'
import { clientAddressHeader, type ProxySocket, proxySecretHeader, schemeHeader } from './proxy-socket.ts'

export interface ConsoleServer {
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
  const answer = async (request: Request) => protectedAnswer(await app.fetch(request))
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
