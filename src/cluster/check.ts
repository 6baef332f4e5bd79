import type { Clock } from '../lib/clock.ts'
import type { Replica, Sums } from './replica.ts'

/** What a link of kind `check` says. */
export interface CheckNote {
  /** The version of the leader's program. Another may derive something else. */
  program: string
  /** The leader's sums of the check before; `null`: each node sums up what it has at this link. */
  sums: Sums | null
}

export const encodeCheck = (note: CheckNote): Uint8Array => new TextEncoder().encode(JSON.stringify(note))
const decodeCheck = (body: Uint8Array): CheckNote => JSON.parse(new TextDecoder().decode(body)) as CheckNote

const everyMs = 60 * 60_000
/** For so long a leader takes nothing in, so that its folder and the chain hold the same for a moment. */
const quietMsMax = 2000

/** When the leader has all nodes compare what they derived. */
export class LeadersCheck {
  private atMs: number
  private sums: Sums | 'begun' | null = null

  constructor(
    private readonly program: string,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
  ) {
    this.atMs = clock.monotonicMs() + everyMs
  }

  /** Whether to take nothing in, since a check is due. */
  get wantsQuiet(): boolean {
    const lateMs = this.clock.monotonicMs() - this.atMs
    return this.sums === null && lateMs >= 0 && lateMs < quietMsMax
  }

  /** Call once all that the folder holds is linked. @returns what the next link is to say; `null`: nothing */
  next(replica: Pick<Replica, 'sums'>): CheckNote | null {
    const { program, clock } = this
    if (this.sums === 'begun') return null
    if (this.sums !== null) {
      const note = { program, sums: this.sums }
      this.sums = null
      return note
    }
    if (clock.monotonicMs() < this.atMs) return null
    const summing = replica.sums()
    if (summing === null) {
      if (!this.wantsQuiet) this.atMs = clock.monotonicMs() + everyMs
      return null
    }
    this.atMs = clock.monotonicMs() + everyMs
    this.sums = 'begun'
    summing.then(
      (found) => {
        this.sums = found
      },
      () => {
        this.sums = null
      },
    )
    return { program, sums: null }
  }
}

const processingLookMs = 20
const processingMsMax = 10_000

/** What a follower does at such links. */
export class FollowersCheck {
  private own: Begun = noSums

  constructor(private readonly program: string) {}

  /** @returns the tables in which this node differs from the leader */
  async meet(body: Uint8Array, replica: Pick<Replica, 'sums'>): Promise<string[]> {
    const { program, sums } = decodeCheck(body)
    if (program !== this.program) return []
    if (sums === null) {
      this.own = await begun(replica)
      return []
    }
    const own = await this.own.sums
    return own === null ? [] : Object.keys(sums).filter((table) => own[table] !== sums[table])
  }
}

/** The check that was begun last. */
interface Begun {
  /** `null`: there are none, or what was derived cannot be read, which `doctor` finds. */
  sums: Promise<Sums | null>
}

const noSums: Begun = { sums: Promise.resolve(null) }

/** Waits until what was applied is processed, and not for the sums. */
async function begun(replica: Pick<Replica, 'sums'>): Promise<Begun> {
  for (let waitedMs = 0; waitedMs < processingMsMax; waitedMs += processingLookMs) {
    const sums = replica.sums()
    if (sums !== null) return { sums: sums.catch(() => null) }
    await Bun.sleep(processingLookMs)
  }
  return noSums
}
