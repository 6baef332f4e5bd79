import type { RequestQueue } from '../lib/request-queue.ts'
import { closing, unavailableAnswer } from './answer/answers.ts'
import { backInAMoment } from './answer/small-page.ts'
import type { Scheme } from './arrival.ts'
import type { ListenerParts } from './listener-parts.ts'
import type { PeerSource } from './peer-source.ts'
import { type Answering, captureRoutes } from './routes/routes.ts'

/** Answers some requests itself, and returns `null` for those of the routes. */
export type EarlyAnswering = (request: Request, server: PeerSource) => Response | null

/** Answers for a listener, which may be bound before its routes exist (docs/decisions/0037). */
export class RequestHandler {
  private routes: Answering | null = null
  private draining = false

  /** @param queue holds what comes before every listener has its routes */
  constructor(
    private readonly queue: RequestQueue,
    private readonly scheme: Scheme,
  ) {}

  lead(parts: ListenerParts, first: EarlyAnswering = () => null): void {
    const routes = captureRoutes(parts, this.scheme)
    this.routes = (request, server) => first(request, server) ?? routes(request, server)
  }

  /** Makes each answer ask its client to reconnect, which leads to the listener that takes over. */
  drain(): void {
    this.draining = true
  }

  /** Another process has the data folder. Clients ask again over a new connection, as whenever a kept one was just closed. */
  leave(): void {
    this.routes = brokenOff
  }

  answer(request: Request, server: Bun.Server<undefined>): Response | Promise<Response> {
    const answer = this.routes === null ? this.onceReleased(request, server) : this.routes(request, server)
    if (!this.draining) return answer
    return answer instanceof Promise ? answer.then(closing) : closing(answer)
  }

  private async onceReleased(request: Request, server: Bun.Server<undefined>): Promise<Response> {
    if ((await this.queue.wait()) && this.routes !== null) return this.routes(request, server)
    return request.method === 'POST' ? unavailableAnswer() : backInAMoment({ request })
  }
}

/** Bun breaks off the connection without a word, and logs nothing if no reason is given. */
const brokenOff = (): Response => new Response(new ReadableStream({ start: (controller) => controller.error() }))
