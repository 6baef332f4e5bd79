// What every figure is compared with: Bun alone, that only answers. Run as a process of its own:
// `bun bench/bare-server.ts echo|page|redirect [PAIRS]`; prints its port. With pairs (JSON) it speaks https.
import type { BenchPairs } from './certificates.ts'
import { pageHtml } from './site.ts'

const html = new TextEncoder().encode(pageHtml)

const answers: Record<string, (request: Request) => Response | Promise<Response>> = {
  echo: async (request) => Response.json(await request.json()),
  page: () => new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
  redirect: () => new Response(null, { status: 302, headers: { Location: 'http://bench.example/launch' } }),
}

const answer = answers[Bun.argv[2] ?? '']
if (!answer) throw new Error(`one of ${Object.keys(answers).join(', ')}`)
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, development: false, ...secured(Bun.argv[3]), fetch: answer })
process.stdout.write(`${server.port}\n`)

function secured(pairs: string | undefined) {
  if (pairs === undefined) return {}
  const { certificate, key, names } = JSON.parse(pairs) as BenchPairs
  const pair = { cert: certificate, key }
  return { http2: true, tls: [pair, ...names.map((serverName) => ({ ...pair, serverName }))] }
}
