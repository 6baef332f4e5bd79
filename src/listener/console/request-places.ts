import { rateLimitAddress } from '../../lib/ip.ts'

/** Bun sends at most 256 requests of a process at once (tried); the rest is for bot checks, deliveries and backups. */
const placesMax = 160
const placesOfAddressMax = 48
const waitingMax = 1000
const waitMsMax = 10_000

interface Waiting {
  address: string
  enter(leave: () => void): void
}

/** Limits the requests for the console that are under way at once, in all and of one address, for they are open to everybody. */
export class Places {
  private readonly byAddress = new Map<string, number>()
  private taken = 0
  private readonly waiting = new Set<Waiting>()

  /** Waits for a place. @returns what gives it back, which may be called again; `null`: there was none for ten seconds */
  take(clientAddress: string): Promise<(() => void) | null> | (() => void) | null {
    const address = rateLimitAddress(clientAddress)
    if (this.hasRoom(address)) return this.enter(address)
    if (this.waiting.size >= waitingMax) return null
    const { promise, resolve } = Promise.withResolvers<(() => void) | null>()
    const waiting: Waiting = { address, enter: resolve }
    this.waiting.add(waiting)
    const patience = setTimeout(() => {
      this.waiting.delete(waiting)
      resolve(null)
    }, waitMsMax)
    return promise.finally(() => clearTimeout(patience))
  }

  private hasRoom(address: string): boolean {
    return this.taken < placesMax && (this.byAddress.get(address) ?? 0) < placesOfAddressMax
  }

  private enter(address: string): () => void {
    this.taken++
    this.byAddress.set(address, (this.byAddress.get(address) ?? 0) + 1)
    let isTaken = true
    return () => {
      if (isTaken) this.leave(address)
      isTaken = false
    }
  }

  private leave(address: string): void {
    this.taken--
    const left = (this.byAddress.get(address) ?? 1) - 1
    if (left === 0) this.byAddress.delete(address)
    else this.byAddress.set(address, left)
    const next = this.waiting.values().find((waiting) => this.hasRoom(waiting.address))
    if (next === undefined) return
    this.waiting.delete(next)
    next.enter(this.enter(next.address))
  }
}
