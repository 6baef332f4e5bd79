import type { Gate } from '../lib/gate.ts'
import { unavailableAnswer } from './answers.ts'
import type { Scheme } from './arrival.ts'
import { type Answering, captureRoutes } from './capture-routes.ts'
import type { ListenerParts } from './listener-parts.ts'
import type { PeerSource } from './peer-source.ts'
import { backInAMoment } from './too-many-downloads.ts'

/** What stands before the routes of a listener, which may be bound before there are any (docs/decisions/0037). */
export class Entrance {
  private routes: Answering | null = null
  private draining = false

  /** @param gate is opened once every listener has its routes */
  constructor(
    private readonly gate: Gate,
    private readonly scheme: Scheme,
  ) {}

  /** @param first what answers some requests itself, and `null` for those that are the routes' */
  lead(parts: ListenerParts, first: (request: Request, server: PeerSource) => Response | null = () => null): void {
    const routes = captureRoutes(parts, this.scheme)
    this.routes = (request, server) => first(request, server) ?? routes(request, server)
  }

  /** From now on each answer asks its client to connect anew, which leads to the listener that takes over. */
  drain(): void {
    this.draining = true
  }

  answer(request: Request, server: Bun.Server<undefined>): Response | Promise<Response> {
    const answer = this.routes === null ? this.whenOpen(request, server) : this.routes(request, server)
    if (!this.draining) return answer
    return answer instanceof Promise ? answer.then(closing) : closing(answer)
  }

  private async whenOpen(request: Request, server: Bun.Server<undefined>): Promise<Response> {
    if ((await this.gate.pass()) && this.routes !== null) return this.routes(request, server)
    return request.method === 'POST' ? unavailableAnswer() : backInAMoment()
  }
}

function closing(answer: Response): Response {
  answer.headers.set('connection', 'close')
  return answer
}
