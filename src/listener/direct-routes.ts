import { requestTarget } from '../lib/request-target.ts'
import type { RouteHandler } from './on-site.ts'
import type { PeerSource } from './peer-source.ts'

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
