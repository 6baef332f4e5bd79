import { createSocket, type Socket } from 'node:dgram'

/** What is said of a name: its IPv4 addresses, `none` (no such name), `failure` (the server could not find out), or nothing. */
export type DnsAnswer = string[] | 'none' | 'failure' | 'silence'

const typeA = 1
const headerBytes = 12
/** QR and RD, RA; then the response code (RFC 1035 section 4.1.1). */
const flags = { found: 0x8180, none: 0x8183, failure: 0x8182 }

/** A DNS server on loopback (UDP) that answers for the given names; every other name is none. */
export class DnsServer implements AsyncDisposable {
  readonly asked: string[] = []
  private constructor(private readonly socket: Socket) {}

  static async with(names: Record<string, DnsAnswer>): Promise<DnsServer> {
    const socket = createSocket('udp4')
    const server = new DnsServer(socket)
    socket.on('message', (query, sender) => {
      const { name, type, bytes } = question(query)
      server.asked.push(name)
      const answer = names[name] ?? 'none'
      if (answer !== 'silence')
        socket.send(
          reply(query, bytes, type === typeA || !Array.isArray(answer) ? answer : []),
          sender.port,
          sender.address,
        )
    })
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    return server
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.socket.close(() => resolve()))
  }
}

function question(query: Buffer): { name: string; type: number; bytes: Buffer } {
  const labels: string[] = []
  let at = headerBytes
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), bytes: query.subarray(headerBytes, at + 5) }
}

function reply(query: Buffer, questionBytes: Buffer, answer: Exclude<DnsAnswer, 'silence'>): Buffer {
  const addresses = Array.isArray(answer) ? answer : []
  const header = Buffer.alloc(headerBytes)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(Array.isArray(answer) ? flags.found : flags[answer], 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  return Buffer.concat([header, questionBytes, ...addresses.map(addressRecord)])
}

/** A pointer to the question's name, type A, class IN, a minute to live, four bytes. */
const addressRecord = (address: string): Buffer =>
  Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)])
