import { Resolver } from 'node:dns/promises'
import { connect } from 'node:net'
import { checkServerIdentity, connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls'
import { isReachableFromHere } from '../../lib/network-cards.ts'

/** A host under which visitors reach this box. */
export interface PublicHost {
  host: string
  /** The owner for messages: an account's name, or words for the box's own names. */
  of: string
  /** The owner's handle; `null`: the box. */
  account: string | null
  scheme: 'http' | 'https'
  port: number
}

interface ObservedAddress {
  address: string
  /** Why nothing answers on the host's port; `null`: it answers. */
  silence: string | null
  /** The certificate shown over https, or why there is none. */
  certificate: Certificate | string | null
}

export interface ObservedHost extends PublicHost {
  lookup: Lookup
  addresses: ObservedAddress[]
}

export interface NameServers {
  /** DNS servers as `address:port`; default: the system's. */
  dnsServers?: string[]
  /** Limits each look-up and each connection. */
  lookMsMax?: number
}

/** docs/running.md */
const defaultLookMsMax = 2000
/** A name usually has one or two addresses; checking more tells nothing new. */
const addressesMax = 4
const httpsPort = 443

/** Looks up a host, then connects to all its addresses at once. */
export async function observe(
  host: PublicHost,
  { dnsServers, lookMsMax: msMax = defaultLookMsMax }: NameServers,
): Promise<ObservedHost> {
  const lookup = await lookUp(host.host, dnsServers, msMax)
  const found =
    'addresses' in lookup
      ? lookup.addresses.filter((address) => isReachableFromHere(address)).slice(0, addressesMax)
      : []
  return { ...host, lookup, addresses: await Promise.all(found.map((address) => observeAddress(host, address, msMax))) }
}

async function observeAddress(
  { host, scheme, port }: PublicHost,
  address: string,
  msMax: number,
): Promise<ObservedAddress> {
  const isTls = scheme === 'https'
  const [silence, certificate] = await Promise.all([
    knock({ address, port }, msMax),
    certificateOf(host, { address, port: isTls ? port : httpsPort }, msMax),
  ])
  // A host on plain HTTP needs no certificate.
  return { address, silence, certificate: isTls || typeof certificate !== 'string' ? certificate : null }
}

/** The DNS answer for a name. `unasked`: no server answered, with the error code. */
type Lookup = { addresses: string[] } | { unasked: string }

/** Whether the server answered that no such record exists. */
const isThereNone = (code: string): boolean => code === 'ENOTFOUND' || code === 'ENODATA'

async function lookUp(host: string, servers: string[] | undefined, msMax: number): Promise<Lookup> {
  const resolver = new Resolver({ timeout: msMax, tries: 1 })
  if (servers !== undefined) resolver.setServers(servers)
  // The resolver's own limit applies to each server separately.
  const limit = setTimeout(() => resolver.cancel(), msMax)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  clearTimeout(limit)
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const codes = answers.flatMap((answer) => (answer.status === 'rejected' ? [codeOf(answer.reason)] : []))
  const unasked = codes.find((code) => !isThereNone(code))
  return addresses.length > 0 || unasked === undefined ? { addresses } : { unasked }
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? 'unknown'

interface PortAddress {
  address: string
  port: number
}

/** Connects to the port. `null`: it answers; otherwise the system's error code. */
async function knock({ address, port }: PortAddress, msMax: number): Promise<string | null> {
  const socket = connect({ host: address, port })
  try {
    return await settled(socket, 'connect', msMax)
  } finally {
    socket.destroy()
  }
}

export interface Certificate {
  issuer: string
  validFrom: number
  validUntil: number
  namesHost: boolean
  /** Why the chain is not trusted; `null`: it is. */
  distrust: string | null
}

/** The certificate for a host; a text: why the TLS handshake failed. */
async function certificateOf(
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
