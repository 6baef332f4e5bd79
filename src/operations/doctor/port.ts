import { connect } from 'node:net'
import { checkServerIdentity, connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls'

export interface PortAddress {
  address: string
  port: number
}

/** Connects to the port. `null`: it answers; otherwise the system's error code. */
export async function knock({ address, port }: PortAddress, msMax: number): Promise<string | null> {
  const socket = connect({ host: address, port })
  try {
    return await settled(socket, 'connect', msMax)
  } finally {
    socket.destroy()
  }
}

/** The certificate that a visitor's browser gets. */
export interface Certificate {
  /** The issuer's organisation and name. */
  issuer: string
  /** Epoch milliseconds. */
  validFrom: number
  validUntil: number
  namesHost: boolean
  /** Why the chain is not trusted; `null`: it is. */
  distrust: string | null
}

/** The certificate for a host; a text: why the TLS handshake failed. */
export async function certificateOf(
  host: string,
  { address, port }: PortAddress,
  msMax: number,
): Promise<Certificate | string> {
  // Accept untrusted certificates in order to describe them. Nothing is sent over the connection.
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

/** Leaves out a wrong name and an expired date, which have checks of their own. */
function distrustOf({ authorized, authorizationError }: TLSSocket): string | null {
  if (authorized || !authorizationError) return null
  const { code } = authorizationError as Error & { code?: string }
  const reason = code ?? String(authorizationError)
  return /ALTNAME|EXPIRED|NOT_YET_VALID/.test(reason) ? null : reason
}

/** `null` when the event occurs; otherwise the error code. */
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
