import { createHmac } from 'node:crypto'
import { eventually } from './eventually.ts'

/** A request as a receiver got it. */
export interface Received {
  path: string
  headers: Record<string, string>
  body: string
  /** `performance.now()` at its arrival. */
  atMs: number
}

export interface ReceiverOptions {
  /** PEM; absent: plain HTTP. */
  tls?: { cert: string; key: string }
  answer?: (request: Received) => Response | Promise<Response>
}

/** A receiver of deliveries on loopback that remembers what it got. What it answers can be changed at any time. */
export class Receiver implements AsyncDisposable {
  readonly received: Received[] = []
  answer: (request: Received) => Response | Promise<Response>
  private readonly server: Bun.Server<undefined>

  constructor({ tls, answer = () => new Response('thanks') }: ReceiverOptions = {}) {
    this.answer = answer
    this.server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 255,
      ...(tls && { tls }),
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url)
        const received = {
          path: pathname + search,
          headers: Object.fromEntries(request.headers),
          body: await request.text(),
          atMs: performance.now(),
        }
        this.received.push(received)
        return this.answer(received)
      },
    })
  }

  /** An address of it, over the scheme that it speaks. */
  url(path = '/hook', host = '127.0.0.1'): string {
    return `${this.server.protocol}://${host}:${this.server.port}${path}`
  }

  get ids(): string[] {
    return this.received.map(({ headers }) => headers['webhook-id'] ?? '')
  }

  /** Resolves once it has got so many. */
  async got(count: number): Promise<Received[]> {
    await eventually(`the receiver gets ${count} requests`, async () => this.received.length >= count)
    return this.received
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop(true)
  }
}

/** The secrets by which the request is signed (Standard Webhooks 1.0), written apart from the code that signs. */
export function signedBy({ headers, body }: Received, secrets: readonly string[]): string[] {
  const signatures = (headers['webhook-signature'] ?? '').split(' ')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return secrets.filter((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return signatures.includes(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  })
}
