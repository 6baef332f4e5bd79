/** A bot-check provider on the loopback interface: it verifies the token `human` and no other. */
export interface VerificationServer extends Disposable {
  url: string
  /** The tokens it was asked about, in order. */
  asked: string[]
}

export const humanToken = 'human'

export function startVerificationServer(): VerificationServer {
  const asked: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const token = tokenOf(await request.text(), request.headers.get('content-type'))
      asked.push(token)
      return Response.json({ success: token === humanToken })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/siteverify`,
    asked,
    [Symbol.dispose]: () => void server.stop(true),
  }
}

/** Providers take the token as a form's `response`, some as JSON too. */
function tokenOf(body: string, contentType: string | null): string {
  const isJson = contentType?.startsWith('application/json') ?? false
  const token: unknown = isJson ? JSON.parse(body).response : new URLSearchParams(body).get('response')
  return String(token)
}
