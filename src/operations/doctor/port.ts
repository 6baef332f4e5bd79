import { connect } from 'node:net'
import { checkServerIdentity, connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls'

export interface PortAddress {
  address: string
  port: number
}

/** `null`: it answers; else why not, as the system puts it. */
export async function knock({ address, port }: PortAddress, msMax: number): Promise<string | null> {
  const socket = connect({ host: address, port })
  try {
    return await settled(socket, 'connect', msMax)
  } finally {
    socket.destroy()
  }
}

/** What a visitor's browser is shown before anything else. */
export interface Certificate {
  /** Its organisation and name. */
  issuer: string
  /** Epoch milliseconds. */
  validFrom: number
  validUntil: number
  namesHost: boolean
  /** Why the chain of issuers is not trusted; `null`: it is. */
  distrust: string | null
}

/** The certificate that a host is answered with; a text: no TLS is spoken there, and why. */
export async function certificateOf(
  host: string,
  { address, port }: PortAddress,
  msMax: number,
): Promise<Certificate | string> {
  // Nothing is sent over it: what is not trusted is to be described, not refused.
  const socket = connectTls({ host: address, port, servername: host, rejectUnauthorized: false })
  try {
    const failure = await settled(socket, 'secureConnect', msMax)
    return failure ?? described(host, socket)
  } finally {
    socket.destroy()
  }
}

function described(host: string, socket: TLSSocket): Certificate | string {
  const shown = socket.getPeerCertificate()
  if (shown?.valid_to === undefined) return 'no certificate'
  return {
    issuer: issuerOf(shown),
    validFrom: Date.parse(shown.valid_from),
    validUntil: Date.parse(shown.valid_to),
    namesHost: checkServerIdentity(host, shown) === undefined,
    distrust: distrustOf(socket),
  }
}

function issuerOf({ issuer }: PeerCertificate): string {
  const parts = [issuer?.O, issuer?.CN].flat().filter((part) => part !== undefined && part !== '')
  return parts.length === 0 ? 'an issuer without a name' : parts.join(', ')
}

/** A wrong name and a date that is over are looked at apart. */
function distrustOf({ authorized, authorizationError }: TLSSocket): string | null {
  if (authorized || !authorizationError) return null
  const { code } = authorizationError as Error & { code?: string }
  const reason = code ?? String(authorizationError)
  return /ALTNAME|EXPIRED|NOT_YET_VALID/.test(reason) ? null : reason
}

/** `null` once the event comes; else why it does not. */
function settled(socket: ReturnType<typeof connect>, event: string, msMax: number): Promise<string | null> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => resolve('no answer'), msMax)
    const end = (outcome: string | null) => () => {
      clearTimeout(limit)
      resolve(outcome)
    }
    socket.once(event, end(null))
    socket.once('close', end('closed'))
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message)())
  })
}
