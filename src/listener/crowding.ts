import type { Peer } from './peer-source.ts'

/** What a connection may ask for in one turn of the event loop, however long that takes already. */
const fewRequests = 4
/** What connections that ask for more may cost in one turn, in milliseconds of this thread's processor time. */
const turnMsMax = 100

/**
 * Finds the connections whose pipelined requests keep all others waiting. The runtime answers all that has arrived on every
 * connection before it reads again: hundreds of connections with hundreds of requests each would take seconds, though none
 * of their addresses asks for more than its budget.
 */
export class Crowding {
  /** The connection that asked last, and how often it did so with nobody between, in this turn. */
  private last: Peer | null = null
  private inARow = 0
  /** The turn in which a connection has asked for more than a few. */
  private turn: { startMs: number; first: Peer } | null = null

  /** @param spentMs the processor time that this thread has used: a busy machine makes nobody one of many */
  constructor(private readonly spentMs: () => number = threadMs) {}

  /**
   * Told of each request: whether it is one of many that others wait for. Whoever asks for many first in a turn has them all
   * answered, since one connection alone keeps nobody for long.
   *
   * @param peer `null`: not known, and never one of many
   */
  isOneOfMany(peer: Peer | null): boolean {
    if (peer === null) return false
    this.inARow = isSame(peer, this.last) ? this.inARow + 1 : 1
    this.last = peer
    if (this.inARow <= fewRequests) return false
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
