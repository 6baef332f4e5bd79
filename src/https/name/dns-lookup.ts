import { getServers } from 'node:dns'
import type { Answer, DecodedPacket, RecordType } from 'dns-packet'
import { type DnsServerAddress, exchange } from './dns-exchange.ts'

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
