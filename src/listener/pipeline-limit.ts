import type { Peer } from './peer-source.ts'

/** How many requests in a row a connection may make in one turn of the event loop, however long that takes already. */
const requestsInARowMax = 4
/** What connections that make more may cost in one turn, in milliseconds of this thread's processor time. */
const turnMsMax = 100

/**
 * Finds the connections whose pipelined requests keep all others waiting. The runtime answers all that has arrived on every
 * connection before it reads again: hundreds of connections with hundreds of requests each would take seconds, though none
 * of their addresses asks for more than its budget.
 */
export class PipelineLimit {
  /** The connection of the last request, and how many it has made with nobody between. */
  private last: Peer | null = null
  private inARow = 0
  /** The turn in which a connection has made more than the few; its end begins the count anew. */
  private turn: { startMs: number; first: Peer } | null = null

  /** @param spentMs the processor time that this thread has used: on a busy machine nobody is refused for waiting */
  constructor(private readonly spentMs: () => number = threadMs) {}

  /**
   * Counts a request, and says whether it is to be refused. The first connection of a turn that makes many has them all answered,
   * since one alone keeps nobody for long.
   *
   * @param peer `null` is never refused
   */
  refuses(peer: Peer | null): boolean {
    if (peer === null) return false
    this.inARow = isSame(peer, this.last) ? this.inARow + 1 : 1
    this.last = peer
    if (this.inARow <= requestsInARowMax) return false
    this.turn ??= this.begun(peer)
    if (isSame(peer, this.turn.first)) return false
    return this.spentMs() - this.turn.startMs > turnMsMax
  }

  private begun(first: Peer) {
    setImmediate(this.end)
    return { startMs: this.spentMs(), first }
  }

  private readonly end = (): void => {
    this.turn = null
    this.inARow = 0
  }
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The port first: it tells most connections apart, and numbers are compared faster than texts. */
const isSame = (a: Peer, b: Peer | null): boolean => a.port === b?.port && a.address === b.address
