import { createSocket } from 'node:dgram'
import { getServers } from 'node:dns'
import { connect } from 'node:net'
import { type Answer, type DecodedPacket, decode, encode, RECURSION_DESIRED, type RecordType } from 'dns-packet'
import { newSecret } from '../../lib/sign.ts'

/**
 * The answer to one DNS question. `no-name`: the name does not exist (NXDOMAIN, RFC 8020). `no-data`: it has no records of this
 * type (RFC 2308). `failed`: no server answered, with the response code or the network error.
 */
export type DnsAnswer<T> =
  | { kind: 'records'; records: T[] /** The name that the first alias names. */; alias: string | null }
  | { kind: 'no-data' | 'no-name'; alias: string | null }
  | { kind: 'failed'; code: string }

const tryMsMax = 2500
/** How often each server is queried. */
const rounds = 2
const serversMax = 3
/** Limits the records read from one answer. */
const recordsMax = 64
const dnsPort = 53

/** Queries DNS servers in turn: those in `[https] resolvers` or the system's. */
export class DnsLookup {
  private readonly servers: DnsServerAddress[]
  private readonly tryMs: number

  /** @param servers empty: the system's. @param wholeMs shared by all tries, so that every server is queried in time */
  constructor(servers: readonly DnsServerAddress[], wholeMs = Number.POSITIVE_INFINITY) {
    this.servers = (servers.length > 0 ? [...servers] : systemServers()).slice(0, serversMax)
    this.tryMs = Math.min(tryMsMax, wholeMs / (rounds * Math.max(1, this.servers.length)))
  }

  /** @param signal aborts the lookup */
  async ask<T>(
    question: { name: string; type: RecordType },
    read: (answer: Answer) => T | null,
    signal: AbortSignal,
  ): Promise<DnsAnswer<T>> {
    let failure: DnsAnswer<T> = { kind: 'failed', code: 'no server' }
    for (const server of Array.from({ length: rounds }, () => this.servers).flat()) {
      if (signal.aborted) return { kind: 'failed', code: 'timeout' }
      const answer = await exchange(server, question, { msMax: this.tryMs, signal })
      if (typeof answer === 'string') {
        failure = { kind: 'failed', code: answer }
        continue
      }
      const answers = (answer.answers ?? []).slice(0, recordsMax)
      const alias = aliasIn(answers)
      const code = responseCode(answer)
      if (code === 'NXDOMAIN') return { kind: 'no-name', alias }
      if (code === 'NOERROR') {
        const records = answers.filter(({ type }) => type === question.type).flatMap((record) => read(record) ?? [])
        return records.length > 0 ? { kind: 'records', records, alias } : { kind: 'no-data', alias }
      }
      failure = { kind: 'failed', code }
    }
    return failure
  }

  /** The texts of a name's TXT records, each joined from its strings (like RFC 7208 section 3.3). */
  texts(name: string, signal: AbortSignal): Promise<DnsAnswer<string>> {
    return this.ask({ name, type: 'TXT' }, (record) => (record.type === 'TXT' ? textOf(record.data) : null), signal)
  }
}

/** RFC 1035 section 4.1.1. */
const responseCodes = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']

function responseCode({ flags = 0 }: DecodedPacket): string {
  const number = flags & 0x0f
  return responseCodes[number] ?? `RCODE${number}`
}

type TextData = string | Buffer | (string | Buffer)[]

const textOf = (data: TextData): string => [data].flat().map(String).join('')

/** Alias chains are in order, starting with the queried name (RFC 1034 section 3.6.2). */
function aliasIn(answers: Answer[]): string | null {
  const [first] = answers.flatMap((answer) => (answer.type === 'CNAME' ? answer.data.toLowerCase() : []))
  return first !== undefined && /^[!-~]+$/.test(first) ? first : null
}

/** As `/etc/resolv.conf` names them. */
function systemServers(): DnsServerAddress[] {
  return getServers().map((text) => {
    const [, bracketed, port] = /^\[(.+)\](?::(\d+))?$/.exec(text) ?? []
    if (bracketed !== undefined) return { host: bracketed, port: Number(port ?? dnsPort) }
    const [, host = text, ownPort] = /^([\d.]+):(\d+)$/.exec(text) ?? []
    return { host, port: Number(ownPort ?? dnsPort) }
  })
}

export interface DnsServerAddress {
  host: string
  port: number
}

interface DnsQuestion {
  name: string
  type: RecordType
}

/** A server's answer, or why there is none. */
type DnsExchange = DecodedPacket | 'timeout' | 'unreachable' | 'unreadable'

/** The length prefix of DNS over TCP (RFC 1035 section 4.2). */
const lengthBytes = 2

interface Bounds {
  /** Applies to UDP and to TCP separately. */
  msMax: number
  signal: AbortSignal
}

/** Queries one server over UDP and, for truncated answers, over TCP (RFC 7766). */
async function exchange(server: DnsServerAddress, question: DnsQuestion, bounds: Bounds): Promise<DnsExchange> {
  const [high = 0, low = 0] = newSecret()
  const query = encode({ type: 'query', id: high * 256 + low, flags: RECURSION_DESIRED, questions: [question] })
  const answer = await overUdp(server, query, bounds)
  return typeof answer !== 'string' && answer.flag_tc ? overTcp(server, query, bounds) : answer
}

type Settle = (outcome: DnsExchange) => void

/** Settles with the first outcome and then closes the socket. */
async function settled({ msMax, signal }: Bounds, begin: (settle: Settle) => () => void): Promise<DnsExchange> {
  const { promise, resolve } = Promise.withResolvers<DnsExchange>()
  const giveUp = () => resolve('timeout')
  if (signal.aborted) return 'timeout'
  signal.addEventListener('abort', giveUp)
  const limit = setTimeout(giveUp, msMax)
  const letGo = begin(resolve)
  try {
    return await promise
  } finally {
    clearTimeout(limit)
    signal.removeEventListener('abort', giveUp)
    letGo()
  }
}

function overUdp({ host, port }: DnsServerAddress, query: Uint8Array, bounds: Bounds): Promise<DnsExchange> {
  return settled(bounds, (settle) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    socket.on('error', () => settle('unreachable'))
    // An answer to another question is stray or forged: keep waiting.
    socket.on('message', (message) => {
      const answer = readAnswer(message, query)
      if (answer !== 'foreign') settle(answer)
    })
    let isOver = false
    // Not a callback, which would also run on failure.
    socket.once('connect', () => {
      if (!isOver) socket.send(query)
    })
    socket.connect(port, host)
    return () => {
      isOver = true
      socket.close()
    }
  })
}

function overTcp({ host, port }: DnsServerAddress, query: Uint8Array, bounds: Bounds): Promise<DnsExchange> {
  return settled(bounds, (settle) => {
    const socket = connect({ host, port })
    let received = Buffer.alloc(0)
    socket.on('connect', () =>
      socket.write(Buffer.concat([Buffer.from([query.length >> 8, query.length & 255]), query])),
    )
    socket.on('data', (data) => {
      received = Buffer.concat([received, Buffer.from(data)])
      const length = received.length < lengthBytes ? Number.POSITIVE_INFINITY : received.readUInt16BE()
      if (received.length < lengthBytes + length) return
      const answer = readAnswer(received.subarray(lengthBytes, lengthBytes + length), query)
      settle(answer === 'foreign' ? 'unreadable' : answer)
    })
    socket.on('error', () => settle('unreachable'))
    socket.on('close', () => settle('unreadable'))
    return () => socket.destroy()
  })
}

const headerBytes = 12

/** `foreign`: answers another question. Servers may change the case of names. */
function readAnswer(message: Buffer, query: Uint8Array): DecodedPacket | 'unreadable' | 'foreign' {
  const asked = Buffer.from(query)
  if (message.length < headerBytes || message.readUInt16BE() !== asked.readUInt16BE()) return 'foreign'
  try {
    const answer = decode(message)
    const [question] = decode(asked).questions ?? []
    const [repeated] = answer.questions ?? []
    const isOurs = answer.type === 'response' && (repeated === undefined || isSame(repeated, question))
    return isOurs ? answer : 'foreign'
  } catch {
    return 'unreadable'
  }
}

const isSame = (one: DnsQuestion, other: DnsQuestion | undefined): boolean =>
  one.type === other?.type && one.name.toLowerCase() === other.name.toLowerCase()
