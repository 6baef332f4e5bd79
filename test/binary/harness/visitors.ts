import { eventually } from '../../harness/eventually.ts'
import { type RawAnswer, RawConnection } from '../../harness/raw-http.ts'
import { TlsClient } from './tls-client.ts'
import { whatHasArrived } from './what-has-arrived.ts'

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
  /** Connections that were refused, or reset before a process took them. */
  failedConnections: string[]
  /** Requests that were sent in time, over a connection still open, and got no answer. */
  lost: number
  /** Answers that are no acceptance. A visitor who was late, or has waited for long, may be asked to come again. */
  refused: string[]
}

/** From then on the service may ask a visitor to come again (docs/running.md): a busy machine takes so long for a hand-over. */
const patienceMs = 6000
/**
 * A process that hands over waits 300 ms for the next request of a connection, counted from the one before. A visitor whom a busy
 * machine kept from running may come later, and find it closed (RFC 9112 section 9.5). Half of that is left for the way, on which a
 * busy machine keeps the request waiting as well.
 */
const nextRequestMs = 150

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
    let seenAtMs = performance.now()
    try {
      client = tls === undefined ? await RawConnection.open(port) : await TlsClient.open(port, tls)
    } catch (error) {
      counted.failedConnections.push(String(error))
      await Bun.sleep(10)
      return
    }
    using _hangUp = client
    for (let sent = 0; sent < requestsMax && !this.stopping && !client.isOver; sent++) {
      const saidAtMs = performance.now()
      await client.say(formBytes(host))
      const isLate = performance.now() - seenAtMs >= nextRequestMs
      seenAtMs = saidAtMs
      const answer = await client.answer()
      // No process had taken it yet: the kernel drops what waits where a listener closes.
      if (sent === 0 && answer === null && client instanceof RawConnection && client.wasReset) {
        counted.failedConnections.push('reset before it was taken')
        return
      }
      this.note(answer, { isLate, hasWaited: performance.now() - saidAtMs >= patienceMs })
      if (answer === null || answer.headers.get('connection') === 'close') return
      await whatHasArrived()
    }
  }

  private note(answer: RawAnswer | null, { isLate, hasWaited }: { isLate: boolean; hasWaited: boolean }): void {
    const { counted } = this
    const mayBePutOff = isLate || hasWaited
    if (answer === null) counted.lost += isLate ? 0 : 1
    else if (answer.status === 200)
      counted.submissionIds.push((JSON.parse(answer.body) as { submissionId: string }).submissionId)
    else if (!(mayBePutOff && answer.status === 503 && answer.headers.has('retry-after')))
      counted.refused.push(`${answer.status} ${answer.body}`)
  }
}

const body = JSON.stringify({ email: 'ada@example.test' })
const formBytes = (host: string): string =>
  `POST /_svc/f/contact1 HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
