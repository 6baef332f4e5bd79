import { isSameText, sign } from '../lib/sign.ts'

/** Where a node is reached, and what it is recognized by. */
export interface NodePlace {
  /** `host:port` */
  address: string
  /** PEM, self-signed, made at each start. */
  certificate: string
}

const idleSeconds = 30

const proofHeader = 'capture-node-proof'

/**
 * Shows that a request comes from a node, to the holder of one certificate alone: nobody else sees it, and to anybody else it is
 * worth nothing.
 */
const proofTo = (secret: Uint8Array, certificate: string): string =>
  sign(secret, `capture between nodes 1\n${certificate}`)

/**
 * Asks another node. The certificate comes from the cluster's log, which only nodes can sign (sealed-log.ts); none but its holder
 * is sent anything.
 *
 * @param target path and query
 */
export function askNode(
  { address, certificate }: NodePlace,
  secret: Uint8Array,
  target: string,
  init: BunFetchRequestInit = {},
): Promise<Response> {
  if (certificate === '') return Promise.reject(new Error('the node did not prove to know the secret of the cluster'))
  const headers = new Headers(init.headers)
  headers.set(proofHeader, proofTo(secret, certificate))
  const pinned = fingerprintOf(certificate)
  // Not resolved against the address: what begins with `//` would lead elsewhere.
  return fetch(`https://${address}${target}`, {
    redirect: 'manual',
    decompress: false,
    ...init,
    headers,
    tls: {
      ca: certificate,
      // Bun calls it only of a certificate that it would accept: without `ca` and verification, never.
      checkServerIdentity: (_host: string, { fingerprint256 }: { fingerprint256: string }) =>
        fingerprint256 === pinned ? undefined : new Error('another certificate than the node’s'),
    },
  })
}

export type NodeAnswering = (request: Request, server: Bun.Server<undefined>) => Response | Promise<Response>

interface NodeListenerOptions {
  address: { host: string; port: number }
  pair: { certificate: string; key: string }
  secret: Uint8Array
  answer: NodeAnswering
  onError: (error: unknown) => void
}

/** Answers other nodes, over TLS. @throws when the address cannot be bound */
export function startNodeListener({
  address,
  pair,
  secret,
  answer,
  onError,
}: NodeListenerOptions): Bun.Server<undefined> {
  const proof = proofTo(secret, pair.certificate)
  return Bun.serve({
    hostname: address.host,
    port: address.port,
    reusePort: true,
    development: false,
    tls: { key: pair.key, cert: pair.certificate },
    // Strangers may connect too. A request for the console, which may be silent for longer, is given its time where it is answered.
    idleTimeout: idleSeconds,
    // The node that asks bounds how much its clients send.
    maxRequestBodySize: Number.POSITIVE_INFINITY,
    error: (error) => {
      onError(error)
      return new Response(null, { status: 500 })
    },
    fetch(request, server) {
      const isNode = isSameText(request.headers.get(proofHeader) ?? '', proof)
      request.headers.delete(proofHeader)
      return isNode ? answer(request, server) : new Response(null, { status: 404 })
    },
  })
}

/** As TLS libraries write it: pairs of upper-case digits. */
function fingerprintOf(certificate: string): string {
  const der = Uint8Array.fromBase64(certificate.replace(/-----[A-Z ]+-----|\s/g, ''))
  return (Bun.SHA256.hash(der, 'hex').toUpperCase().match(/../g) ?? []).join(':')
}
