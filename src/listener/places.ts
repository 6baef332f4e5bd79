import { rateLimitAddress } from '../lib/ip.ts'

/** Bun sends at most 256 requests of a process at once (tried); the rest is for bot checks, deliveries and backups. */
const placesMax = 160
const placesOfAddressMax = 48

/** Limits the requests for the console that are under way at once, in all and of one address, for they are open to everybody. */
export class Places {
  private readonly byAddress = new Map<string, number>()
  private taken = 0

  /** @returns what gives the place back, which may be called again; `null`: there is none */
  take(clientAddress: string): (() => void) | null {
    const address = rateLimitAddress(clientAddress)
    const ofAddress = this.byAddress.get(address) ?? 0
    if (this.taken >= placesMax || ofAddress >= placesOfAddressMax) return null
    this.taken++
    this.byAddress.set(address, ofAddress + 1)
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
  }
}
