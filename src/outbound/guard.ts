import { lookup } from 'node:dns/promises'
import { leadsHere } from '../lib/hostname.ts'
import { unlessAborted } from '../lib/in-time.ts'
import { type Address, type IpNetwork, ipNetwork, isPublicAddress, isWithin, parseAddress } from '../lib/ip.ts'
import { ownAddresses } from '../lib/network-cards.ts'

/** All addresses of a name. @throws Error when the name is unknown or nobody answers */
export type AddressLookup = (host: string) => Promise<string[]>

/** Where something may be sent on behalf of an account besides public addresses, and where never. */
export interface Guard {
  /** `[delivery] allow_private`. */
  allowed: readonly IpNetwork[]
  /** Whether the address and port belong to the box's own listener. */
  isOwn: (address: Address, port: number) => boolean
}

const thisMachine = ['127.0.0.0/8', '::1'].map((cidr) => ipNetwork(cidr, 'loopback'))

/** The same, with addresses that lead to this machine alone: for those that a command on the box has named. */
export const orThisMachine = (guard: Guard): Guard => ({ ...guard, allowed: [...guard.allowed, ...thisMachine] })

/** Where something may be sent, or why not: a sentence without a full stop. */
type Judged<T> = { refusal: string } | T

/**
 * Ports below 1024 belong to other services than webhook receivers: a mail server, for instance, could be made to act
 * on a request.
 */
const webPorts = { 'https:': 443, 'http:': 80 } as const
const systemPortMax = 1023

/** Judges what can be judged without a lookup. */
function judgeUrl(url: URL, { allowed }: Guard): Judged<{ host: string; port: number }> {
  const isHttp = url.protocol === 'http:' && allowed.length > 0
  if (url.protocol !== 'https:' && !isHttp) return { refusal: 'it is no https:// address' }
  if (url.username !== '' || url.password !== '') return { refusal: 'it holds a user name or password' }
  const usual = webPorts[isHttp ? 'http:' : 'https:']
  const port = url.port === '' ? usual : Number(url.port)
  if (port <= systemPortMax && port !== usual)
    return { refusal: `port ${port} is not a web server's; use ${usual}, or one from 1024 on` }
  return { host: url.hostname.replace(/^\[|\]$|\.$/g, ''), port }
}

/**
 * The addresses of a host to connect to. All of them must be allowed, since a forbidden one would be used sooner or
 * later. Judged after resolution, because URL spellings cannot be trusted; looked up for every attempt and connected to
 * as they are, so that a name cannot change in between.
 */
export async function judgeHost(
  url: URL,
  guard: Guard,
  lookup: AddressLookup,
): Promise<Judged<{ addresses: string[] }>> {
  const judged = judgeUrl(url, guard)
  if ('refusal' in judged) return judged
  const literal = parseAddress(judged.host)
  // No resolver needs to know the names below localhost (RFC 6761 section 6.3).
  const looked = leadsHere(judged.host) ? 'localhost' : judged.host
  const texts = literal === null ? await lookup(looked) : [literal.text]
  if (texts.length === 0) return { refusal: `${judged.host} has no address` }
  for (const text of texts) {
    const refusal = addressRefusal(text, { url, guard, port: judged.port })
    if (refusal !== null) return { refusal: literal === null ? `${judged.host} leads to ${refusal}` : refusal }
  }
  return { addresses: texts }
}

function addressRefusal(text: string, { url, guard, port }: { url: URL; guard: Guard; port: number }): string | null {
  const address = parseAddress(text)
  if (address === null) return `${text}, which is not an address`
  if (guard.isOwn(address, port)) return `${text} port ${port}, which is this box itself`
  if (isWithin(address, guard.allowed)) return null
  if (!isPublicAddress(text))
    return `${text}, which is not a public address; the box's operator can allow it in [delivery] allow_private`
  return url.protocol === 'https:' ? null : `${text} in the clear; write https://`
}

export type UrlJudgement = { outcome: 'allowed' } | { outcome: 'refused' | 'unknown'; reason: string }

/** How long a lookup may take while somebody waits for it. */
const lookupMsMax = 5000

/** Whether something may be sent to an address, as far as is known now. */
export async function judgeDeliveryUrl(text: string, guard: Guard, lookup: AddressLookup): Promise<UrlJudgement> {
  const url = new URL(text)
  const judged = await unlessAborted(judgeHost(url, guard, lookup), AbortSignal.timeout(lookupMsMax)).catch(() => null)
  if (judged === null) return { outcome: 'unknown', reason: `DNS has no address for ${url.hostname} at the moment` }
  return 'refusal' in judged ? { outcome: 'refused', reason: judged.refusal } : { outcome: 'allowed' }
}

/** What `pinnedFetch` sends. */
interface Sent {
  headers: Readonly<Record<string, string>>
  body: string
  /** Certificates (PEM) trusted besides the system's; `null`: none. */
  ca: string | null
  signal: AbortSignal
}

/**
 * POSTs to the address of the URL's host that was judged. Follows no redirect, uses no proxy of the environment, keeps no cookie, and
 * makes a connection of its own: a shared one could have been made for another name.
 */
export function pinnedFetch(url: URL, address: string, { headers, body, ca, signal }: Sent): Promise<Response> {
  const pinned = new URL(url)
  pinned.hostname = address.includes(':') ? `[${address}]` : address
  return fetch(pinned, {
    method: 'POST',
    headers: { ...headers, Host: url.host, Connection: 'close' },
    body,
    redirect: 'manual',
    keepalive: false,
    decompress: false,
    proxy: false,
    tls: { serverName: url.hostname.replace(/^\[|\]$/g, ''), ...(ca !== null && { ca }) },
    signal,
  })
}

/** Nothing of the message was sent, so the name's next address may be tried. */
export function isBeforeSending(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return ['ECONNREFUSED', 'ConnectionRefused', 'EHOSTUNREACH', 'ENETUNREACH', 'FailedToOpenSocket'].includes(code)
}

interface GuardOptions {
  /** CIDRs, of `[delivery] allow_private`. */
  allowPrivate: readonly string[]
  ownPorts: readonly number[]
}

/** The guard of this machine. */
export function systemGuard({ allowPrivate, ownPorts }: GuardOptions): Guard {
  const own = new Set(ownAddresses()?.map(({ address }) => address))
  return {
    allowed: allowPrivate.map((cidr) => ipNetwork(cidr, 'delivery.allow_private')),
    isOwn: (address: Address, port: number) =>
      ownPorts.includes(port) && (address.ip.range() === 'loopback' || own.has(address.text)),
  }
}

/** Of addresses that the operator has chosen: they are not judged. */
export const operatorsGuard: Guard = {
  allowed: ['0.0.0.0/0', '::/0'].map((cidr) => ipNetwork(cidr, 'everywhere')),
  isOwn: () => false,
}

/** Looks names up as the system does, hosts file included. */
export const systemLookup: AddressLookup = async (host) =>
  (await lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address)
