import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { type DecodedPacket, decode, encode, RECURSION_DESIRED, type RecordType } from 'dns-packet'
import { newSecret } from '../../lib/sign.ts'

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
export async function exchange(server: DnsServerAddress, question: DnsQuestion, bounds: Bounds): Promise<DnsExchange> {
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
