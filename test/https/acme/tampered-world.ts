import type { Authority } from '../../../src/https/acme/authority.ts'
import type { AuthorityParts } from '../../../src/https/acme/open-authority.ts'
import type { PebbleOptions } from '../../harness/pebble.ts'
import { makeTlsAuthority } from '../../harness/tls-authority.ts'
import { type AcmeWorld, acmeWorld, clientOf } from './acme-world.ts'

/** A request on its way to pebble. */
export interface Passing {
  method: string
  /** pebble's own: `/dir`, `/nonce-plz`, `/sign-me-up`, `/order-plz`, `/authZ/…`, `/chalZ/…`, `/my-order/…`, `/finalize-order/…`, `/certZ/…`. */
  path: string
  /** What was signed; `null`: nothing, as in POST-as-GET. */
  payload: unknown
  /** What pebble answers. */
  forward: () => Promise<Response>
}

/** Answers in pebble's place, or passes on what pebble says. */
export type Tamper = (passing: Passing) => Response | Promise<Response>

export interface TamperedWorld extends AcmeWorld {
  /** What was asked for, in order. */
  passed: Passing[]
  client(parts?: Partial<AuthorityParts>): Authority
}

/** A world whose client reaches pebble through a server that may lie, be slow, or die. */
export async function tamperedWorld(
  tamper: Tamper,
  options: PebbleOptions & { hosts?: string[] } = {},
): Promise<TamperedWorld> {
  const world = await acmeWorld(options)
  const { ca } = world
  const tls = makeTlsAuthority()
  const { certificate, key } = tls.issue(`IP:${ca.address}`)
  const passed: Passing[] = []
  const server = Bun.serve({
    hostname: ca.address,
    port: 0,
    idleTimeout: 0,
    tls: { cert: certificate, key },
    async fetch(request) {
      const { pathname, host } = new URL(request.url)
      const body = request.method === 'POST' ? await request.text() : null
      // pebble makes its addresses of the Host header: they lead here again.
      const forward = () =>
        fetch(new URL(pathname, ca.directoryUrl), {
          method: request.method,
          body,
          headers: { host, 'content-type': 'application/jose+json' },
          tls: { ca: ca.ca },
        })
      const passing = { method: request.method, path: pathname, payload: payloadOf(body), forward }
      passed.push(passing)
      return tamper(passing)
    },
    error: () => new Response('the test failed', { status: 599 }),
  })
  const directoryUrl = `https://${ca.address}:${server.port}/dir`
  const client = (parts = {}): Authority => clientOf(ca, { directoryUrl, trusted: tls.root, ...parts })
  return {
    ...world,
    passed,
    client,
    authority: client(),
    async [Symbol.asyncDispose]() {
      await server.stop(true)
      await world[Symbol.asyncDispose]()
    },
  }
}

/** Passes everything on but what is asked for at a path that begins like this. */
export const tamperingAt =
  (start: string, answer: Tamper): Tamper =>
  (passing) =>
    passing.path.startsWith(start) ? answer(passing) : passing.forward()

/** The same answer with another body and, maybe, header. */
export async function altered(
  { forward }: Passing,
  change: (members: Record<string, unknown>) => object,
): Promise<Response> {
  const answer = await forward()
  const members = (await answer.json()) as Record<string, unknown>
  return Response.json(change(members), { status: answer.status, headers: keptHeaders(answer) })
}

export function keptHeaders({ headers }: Response): Record<string, string> {
  const kept = ['location', 'replay-nonce', 'retry-after'].map((name) => [name, headers.get(name)] as const)
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}

function payloadOf(body: string | null): unknown {
  if (body === null) return null
  const { payload } = JSON.parse(body) as { payload: string }
  return payload === '' ? null : JSON.parse(Buffer.from(payload, 'base64url').toString())
}
