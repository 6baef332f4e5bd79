import { jsonHeaders } from './answers.ts'
import { corsHeaders } from './cors.ts'
import { SharedHeaders } from './shared-headers.ts'

const noOrigin = ''

/** Answers to captures. Their headers depend only on the origin. */
export class AcceptedAnswers {
  private readonly headers = new SharedHeaders((origin) => ({
    ...jsonHeaders,
    ...corsHeaders(origin === noOrigin ? null : origin),
  }))

  /** @param cookie this answer's `Set-Cookie`; `null`: none */
  answer(
    request: Request,
    { body, status, cookie }: { body: string; status: 200 | 202; cookie: string | null },
  ): Response {
    const origin = request.headers.get('origin') ?? noOrigin
    return new Response(body, { status, headers: this.headers.of(origin, cookie) })
  }
}
