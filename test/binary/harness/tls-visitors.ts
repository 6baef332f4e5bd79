import { eventually } from '../../harness/eventually.ts'
import { TlsClient } from './tls-client.ts'
import { whatHasArrived } from './what-has-arrived.ts'

export interface VisitorCounts {
  answers: number
  /** Requests over a connection still open that got no answer, or a refusal. */
  lost: number
  resetHandshakes: number
}

export interface Visitors {
  moreAnswers(count: number): Promise<void>
  stop(): Promise<VisitorCounts>
}

const keptAlive = 8
const newEachTime = 4

/** Visitors of `/launch`, in turn on each host: over connections that they keep as long as they are let, and over new ones. */
export function startVisitors(port: number, hosts: readonly string[]): Visitors {
  const counted: VisitorCounts = { answers: 0, lost: 0, resetHandshakes: 0 }
  let stopping = false
  let turn = 0
  const nextHost = () => hosts[turn++ % hosts.length] as string
  const connected = async (host: string): Promise<TlsClient | null> => {
    try {
      return await TlsClient.open(port, host)
    } catch {
      counted.resetHandshakes++
      return null
    }
  }
  const asks = async (host: string, requestsMax: number): Promise<void> => {
    using client = await connected(host)
    for (let sent = 0; client !== null && !client.isOver && sent < requestsMax && !stopping; sent++) {
      client.say(`GET /launch HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
      const answer = await client.answer()
      if (answer?.status === 200) counted.answers++
      else counted.lost++
      if (answer === null || answer.headers.get('connection') === 'close') return
      await whatHasArrived()
    }
  }
  const visitor = async (requestsMax: number): Promise<void> => {
    while (!stopping) await asks(nextHost(), requestsMax)
  }
  const visitors = [
    ...Array.from({ length: keptAlive }, () => visitor(Number.POSITIVE_INFINITY)),
    ...Array.from({ length: newEachTime }, () => visitor(1)),
  ]
  return {
    moreAnswers: async (count) => {
      const wanted = counted.answers + count
      await eventually(`${count} more answers`, async () => counted.answers >= wanted)
    },
    stop: async () => {
      stopping = true
      await Promise.all(visitors)
      return counted
    },
  }
}
