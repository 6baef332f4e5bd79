import { eventually } from '../../harness/eventually.ts'
import { type RawAnswer, RawConnection } from '../../harness/raw-http.ts'
import { TlsClient } from './tls-client.ts'

/** How one visitor meets the service. */
export interface VisitorKind {
  /** `tls`: the host of the handshake. */
  tls?: string
  /** Requests on one connection; then it connects anew. */
  requestsMax: number
}

export interface VisitorsCounted {
  /** Ids of submissions that were acknowledged. */
  submissionIds: string[]
  /** Connections that were refused or reset before a request was sent. */
  failedConnections: string[]
  /** Requests that were sent and got no answer. */
  lost: number
  /** Answers that are no acceptance. */
  refused: string[]
}

/** Visitors who send forms, one after the other, until they are stopped; each as its kind does. */
export class Visitors {
  readonly counted: VisitorsCounted = { submissionIds: [], failedConnections: [], lost: 0, refused: [] }
  private stopping = false
  private readonly running: Promise<void>[]

  constructor(ports: { plain: number; tls?: number }, host: string, kinds: VisitorKind[]) {
    this.running = kinds.map(async (kind) => {
      const port = kind.tls === undefined ? ports.plain : (ports.tls ?? 0)
      while (!this.stopping) await this.visit(port, host, kind)
    })
  }

  async moreAnswers(count: number): Promise<void> {
    const wanted = this.counted.submissionIds.length + count
    await eventually(`${count} more answers`, async () => this.counted.submissionIds.length >= wanted)
  }

  async stop(): Promise<VisitorsCounted> {
    this.stopping = true
    await Promise.all(this.running)
    return this.counted
  }

  private async visit(port: number, host: string, { tls, requestsMax }: VisitorKind): Promise<void> {
    const { counted } = this
    let client: RawConnection | TlsClient
    try {
      client = tls === undefined ? await RawConnection.open(port) : await TlsClient.open(port, tls)
    } catch (error) {
      counted.failedConnections.push(String(error))
      await Bun.sleep(10)
      return
    }
    using _hangUp = client
    for (let sent = 0; sent < requestsMax && !this.stopping; sent++) {
      await client.say(formBytes(host))
      const answer = await client.answer()
      if (!this.note(answer) || answer?.headers.get('connection') === 'close') return
    }
  }

  private note(answer: RawAnswer | null): boolean {
    const { counted } = this
    if (answer === null) counted.lost++
    else if (answer.status === 200)
      counted.submissionIds.push((JSON.parse(answer.body) as { submissionId: string }).submissionId)
    else counted.refused.push(`${answer.status} ${answer.body}`)
    return answer !== null
  }
}

const body = JSON.stringify({ email: 'ada@example.test' })
const formBytes = (host: string): string =>
  `POST /_svc/f/contact1 HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
