import { jsonHeaders } from './answers.ts'
import { corsHeaders } from './cors.ts'

/** Limits the origins with cached headers. The same websites post again and again. */
const rememberedMax = 1000
const noOrigin = ''

/** Answers to captures. Their headers depend only on the origin, so they are made once per origin. */
export class AcceptedAnswers {
  private readonly remembered = new Map<string, Headers>()

  /** @param cookie this answer's `Set-Cookie`; `null`: none */
  answer(
    request: Request,
    { body, status, cookie }: { body: string; status: 200 | 202; cookie: string | null },
  ): Response {
    const shared = this.headersFor(request)
    if (cookie === null) return new Response(body, { status, headers: shared })
    const headers = new Headers(shared)
    headers.set('set-cookie', cookie)
    return new Response(body, { status, headers })
  }

  private headersFor(request: Request): Headers {
    const origin = request.headers.get('origin') ?? noOrigin
    const known = this.remembered.get(origin)
    if (known !== undefined) return known
    const made = new Headers({ ...jsonHeaders, ...corsHeaders(request) })
    if (this.remembered.size < rememberedMax) this.remembered.set(origin, made)
    return made
  }
}
