import { createSocket, type Socket } from 'node:dgram'
import { type Answer, decode, encode, type Packet, type Question, RECURSION_AVAILABLE } from 'dns-packet'

/** What is said of a name: its IPv4 addresses, `none` (no such name), `failure` (the server could not find out), or nothing. */
export type DnsAnswer = string[] | 'none' | 'failure' | 'silence'

/** Everything that is said of a name; a type that is not here has no records. */
export interface DnsRecords {
  a?: string[]
  aaaa?: string[]
  cname?: string
  /** Flags, tag and value. */
  caa?: [number, string, string][]
  txt?: string[]
  /** Types that are answered by a failure, or not at all. */
  broken?: Partial<Record<string, 'failure' | 'silence'>>
}

export type DnsNames = Record<string, DnsAnswer | DnsRecords>

/** RFC 1035 section 4.1.1. */
const codes = { found: 0, failure: 2, none: 3 }
/** Links of a chain of aliases that are followed. */
const aliasesMax = 4

/** A DNS server on loopback (UDP) that answers for the given names; every other name is none. They may be changed. */
export class DnsServer implements AsyncDisposable {
  readonly asked: string[] = []
  private constructor(
    private readonly socket: Socket,
    readonly names: DnsNames,
  ) {}

  static async with(names: DnsNames): Promise<DnsServer> {
    const socket = createSocket('udp4')
    const server = new DnsServer(socket, names)
    socket.on('message', (query, sender) => {
      const reply = server.reply(decode(query))
      if (reply !== null) socket.send(encode(reply), sender.port, sender.address)
    })
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    return server
  }

  get port(): number {
    return this.socket.address().port
  }

  get address(): string {
    return `127.0.0.1:${this.port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.socket.close(() => resolve()))
  }

  private reply({ id = 0, questions = [] }: Packet): Packet | null {
    const [question] = questions
    if (question === undefined) return null
    this.asked.push(question.name)
    const said = this.names[question.name] ?? 'none'
    const wrong = brokenWay(said, question.type)
    if (wrong === 'silence') return null
    const code = said === 'none' ? codes.none : wrong === 'failure' ? codes.failure : codes.found
    const answers = code === codes.found ? this.answers(question) : []
    return { type: 'response', id, flags: RECURSION_AVAILABLE | code, questions: [question], answers }
  }

  private answers({ name, type }: Question, depth = 0): Answer[] {
    const said = this.names[name] ?? 'none'
    if (typeof said === 'string') return []
    const records = Array.isArray(said) ? { a: said } : said
    if (records.cname === undefined) return own(name, records).filter((answer) => answer.type === type)
    const alias: Answer = { name, type: 'CNAME', ttl, data: records.cname }
    if (type === 'CNAME' || depth >= aliasesMax) return [alias]
    return [alias, ...this.answers({ name: records.cname, type }, depth + 1)]
  }
}

const ttl = 60

function brokenWay(said: DnsAnswer | DnsRecords, type: string): 'failure' | 'silence' | null {
  if (said === 'failure' || said === 'silence') return said
  return typeof said === 'string' || Array.isArray(said) ? null : (said.broken?.[type] ?? null)
}

const own = (name: string, { a = [], aaaa = [], caa = [], txt = [] }: DnsRecords): Answer[] => [
  ...a.map((data): Answer => ({ name, type: 'A', ttl, data })),
  ...aaaa.map((data): Answer => ({ name, type: 'AAAA', ttl, data })),
  ...caa.map(([flags, tag, value]): Answer => ({ name, type: 'CAA', ttl, data: { flags, tag, value } as never })),
  ...txt.map((data): Answer => ({ name, type: 'TXT', ttl, data })),
]
