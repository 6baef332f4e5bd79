import { Refusal } from '../capture/refusal.ts'
import { textsOf } from '../language/language.ts'
import { bare, closing, refusalAnswer } from './answer/answers.ts'
import { languageFor, smallPage, wayOn } from './answer/small-page.ts'
import { type Arrival, ArrivalReader, type PreviewArrival, type Scheme, type SiteArrival } from './arrival.ts'
import type { ListenerParts } from './listener-parts.ts'
import type { PeerSource } from './peer-source.ts'

export interface RouteContext {
  request: Request
  server: PeerSource | null
  params: Record<string, string>
}

export type RouteHandler = (context: RouteContext) => Response | Promise<Response>

/** A route of connected domains. */
export type SiteHandler = (arrival: SiteArrival, params: Record<string, string>) => Response | Promise<Response>
type AnyHandler = (params: Record<string, string>) => Response | Promise<Response>
type PreviewHandler = (arrival: PreviewArrival, params: Record<string, string>) => Response | Promise<Response>

/** The first thing every route does: host → account. */
export class SiteRouter {
  private readonly arrivals: ArrivalReader

  constructor(
    private readonly parts: ListenerParts,
    scheme: Scheme,
  ) {
    this.arrivals = new ArrivalReader(parts, scheme)
  }

  /** A route of connected domains. On hosts of previews, `onPreviewHost` answers, if given. */
  onSite(handle: SiteHandler, onPreviewHost: PreviewHandler = notHere): RouteHandler {
    return ({ request, server, params }) => {
      const arrival = this.arrivals.read(request, server)
      if (arrival === null) return malformedHost()
      const tooMany = tooManyRequests(arrival, this.parts)
      if (tooMany !== null) return tooMany
      if (arrival.host === this.parts.previewHost) return onPreviewHost({ ...arrival, only: null }, params)
      const site = this.parts.directory.siteOf(arrival.host)
      if (site === null) {
        const only = this.parts.directory.previewedAt(arrival.host)
        return only === null ? this.elsewhere(arrival) : onPreviewHost({ ...arrival, only }, params)
      }
      const { host, ownOrigin, secure, peer, clientAddress } = arrival
      return handle({ request, server, host, ownOrigin, secure, peer, clientAddress, site }, params)
    }
  }

  /** A host that is no connected domain: the console's, or nobody's. */
  private elsewhere(arrival: Arrival): Response | Promise<Response> {
    const proxy = this.parts.consoleProxy
    return arrival.host === proxy.host ? proxy.answer(arrival) : bare(404)
  }

  onAnyHost(handle: AnyHandler): RouteHandler {
    return ({ request, server, params }) => {
      const arrival = this.arrivals.read(request, server)
      return arrival === null ? malformedHost() : (tooManyRequests(arrival, this.parts) ?? handle(params))
    }
  }
}

/**
 * The answer to an address that has used up its budget of requests, and to a connection that keeps others waiting; `null`: it is
 * neither. Closes the connection, and so drops whatever was pipelined behind the request.
 */
export function tooManyRequests(
  { host, request, peer, clientAddress }: Arrival,
  {
    directory,
    pipelineLimit,
    refusals,
    takeRequest,
  }: Pick<ListenerParts, 'directory' | 'pipelineLimit' | 'refusals' | 'takeRequest'>,
): Response | null {
  const refuse = (check: string, retryAfterSeconds: number): Response => {
    const site = directory.siteOf(host)
    if (site !== null) refusals.add(site.account.id, { endpoint: 'any', check, origin: request.headers.get('origin') })
    return closing(refusalAnswer(new Refusal('budget', { retryAfterSeconds }), {}))
  }
  const retryAfterSeconds = takeRequest(clientAddress)
  if (retryAfterSeconds > 0) return refuse('requests_per_address', retryAfterSeconds)
  return pipelineLimit.refuses(peer) ? refuse('pipelined_requests', 1) : null
}

/** On a connected domain with the account's name, its colours and a way on. */
export function notHere(arrival: Arrival | SiteArrival): Response {
  const language = languageFor(arrival)
  const page = { status: 404, language, ...textsOf(language).smallPages.nowhere }
  if (!('site' in arrival)) return smallPage(page)
  const { site } = arrival
  return smallPage({ ...page, site, links: wayOn(site, { language }) })
}

const malformedHost = (): Response =>
  closing(smallPage({ status: 400, language: 'en', title: 'Bad request', text: 'The request names no valid host.' }))
