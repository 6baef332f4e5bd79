import type { DestinationKey, ReadyDestination } from './outbox.ts'

/** How many attempts are under way at once (docs/deliveries.md). */
const totalMax = 64
/** Leaves three quarters to other accounts if all receivers of one hang. */
const accountMax = totalMax / 4
const destinationMax = 4
/** The mail server is one receiver for all accounts: while it hangs, webhooks and chats go on. */
const mailMax = totalMax / 4
/** A failing or hanging receiver gets one attempt at a time until it answers again. */
const failingMax = 1

/** Who occupies a slot. */
type SlotUser = Pick<ReadyDestination, 'accountId' | 'key' | 'isMail'>

interface Turn {
  underWay: number
  /** The number of the latest turn. */
  last: number
}

/** Decides who is next: accounts take turns, and within each account its destinations. */
export class Slots {
  private underWay = 0
  private mailsUnderWay = 0
  private turn = 0
  private readonly accounts = new Map<string, Turn>()
  private readonly destinations = new Map<DestinationKey, Turn>()

  get isFull(): boolean {
    return this.underWay >= totalMax
  }

  /** The one that waits longest and has room; `null`: none. */
  next(ready: readonly ReadyDestination[]): ReadyDestination | null {
    if (this.isFull) return null
    let best: ReadyDestination | null = null
    for (const candidate of ready) if (this.hasRoom(candidate) && this.isBefore(candidate, best)) best = candidate
    return best
  }

  take({ accountId, key, isMail }: SlotUser): void {
    this.underWay++
    if (isMail) this.mailsUnderWay++
    this.turn++
    for (const turn of [turnOf(this.accounts, accountId), turnOf(this.destinations, key)]) {
      turn.underWay++
      turn.last = this.turn
    }
  }

  release({ accountId, key, isMail }: SlotUser): void {
    this.underWay--
    if (isMail) this.mailsUnderWay--
    turnOf(this.accounts, accountId).underWay--
    turnOf(this.destinations, key).underWay--
  }

  /** Forgets the turns of idle users, so that attempts under way bound what is remembered. */
  forgetIdle(): void {
    for (const turns of [this.accounts, this.destinations] as Map<unknown, Turn>[])
      for (const [name, { underWay }] of turns) if (underWay === 0) turns.delete(name)
  }

  private hasRoom({ accountId, key, isFailing, isMail }: ReadyDestination): boolean {
    if (isMail && this.mailsUnderWay >= mailMax) return false
    const most = isFailing ? failingMax : destinationMax
    return underWayOf(this.accounts, accountId) < accountMax && underWayOf(this.destinations, key) < most
  }

  private isBefore(one: ReadyDestination, other: ReadyDestination | null): boolean {
    if (other === null) return true
    const byAccount = lastOf(this.accounts, one.accountId) - lastOf(this.accounts, other.accountId)
    return (byAccount || lastOf(this.destinations, one.key) - lastOf(this.destinations, other.key)) < 0
  }
}

function turnOf<Name>(turns: Map<Name, Turn>, name: Name): Turn {
  const known = turns.get(name)
  if (known !== undefined) return known
  const turn = { underWay: 0, last: 0 }
  turns.set(name, turn)
  return turn
}

const underWayOf = <Name>(turns: Map<Name, Turn>, name: Name): number => turns.get(name)?.underWay ?? 0
const lastOf = <Name>(turns: Map<Name, Turn>, name: Name): number => turns.get(name)?.last ?? 0
