import { type ClientHttp2Session, connect } from 'node:http2'

export interface SenderCounts {
  /** Forms that were answered 200. */
  accepted: number
  /** Sent again over a new connection, as the server said that it had not begun with them (RFC 9113 section 6.8). */
  repeated: number
  /** Neither. */
  lost: string[]
}

const atOnce = 4

/** Posts forms over HTTP/2, several at once on each connection, until told to stop. One connection for each host. */
export function startSenders(port: number, hosts: readonly string[]) {
  const counted: SenderCounts = { accepted: 0, repeated: 0, lost: [] }
  let stopping = false
  const sender = async (host: string): Promise<void> => {
    while (!stopping) {
      const connection = new Connection(port, host)
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          while (!stopping && connection.isOpen) {
            const outcome = await connection.post()
            if (outcome === 'accepted') counted.accepted++
            else if (outcome === 'not begun') counted.repeated++
            else counted.lost.push(outcome)
          }
        }),
      )
      connection.close()
    }
  }
  const senders = hosts.map((host) => sender(host))
  return {
    counted,
    stop: async () => {
      stopping = true
      await Promise.all(senders)
      return counted
    },
  }
}

class Connection {
  private readonly session: ClientHttp2Session
  /** The last stream that the server has begun with, once it says that it goes away. */
  private lastStream = Number.POSITIVE_INFINITY
  private ended = false

  constructor(
    port: number,
    private readonly host: string,
  ) {
    this.session = connect(`https://127.0.0.1:${port}`, { servername: host, rejectUnauthorized: false })
    this.session.on('goaway', (_, lastStream) => {
      this.lastStream = lastStream
      this.ended = true
    })
    this.session.on('close', () => {
      this.ended = true
    })
    this.session.on('error', () => {
      this.ended = true
    })
  }

  get isOpen(): boolean {
    return !this.ended
  }

  /** Else than by name: why there is no good answer. */
  post(): Promise<'accepted' | 'not begun' | string> {
    const stream = this.session.request({
      ':method': 'POST',
      ':path': '/_svc/f/contact1',
      ':authority': this.host,
      'content-type': 'application/json',
    })
    return new Promise((resolve) => {
      let status = 0
      let failure = ''
      stream.on('response', (headers) => {
        status = Number(headers[':status'])
      })
      stream.on('error', (error) => {
        failure = error.message
      })
      stream.on('close', () => {
        if (status === 200) resolve('accepted')
        else if (status === 0 && (stream.id === undefined || stream.id > this.lastStream)) resolve('not begun')
        else resolve(`${this.host}: status ${status} ${failure}`)
      })
      stream.resume()
      stream.end(JSON.stringify({ email: 'ada@example.test' }))
    })
  }

  close(): void {
    this.session.close()
  }
}
