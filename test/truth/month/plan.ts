import type { Random } from './random.ts'
import type { TrueSite } from './true-site.ts'
import { Visitor } from './visitor.ts'
import type { VisitorTraits } from './visitor-traits.ts'
import type { World } from './world.ts'

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** What is to be done at an instant, epoch milliseconds. */
interface Step {
  at: number
  act: () => Promise<unknown>
}

/** What will happen in an account within a time: made beforehand, so that it can be done in order. */
export class Plan {
  readonly steps: Step[] = []
  private numbered: number

  constructor(
    readonly world: World,
    readonly site: TrueSite,
    readonly random: Random,
    /** Epoch milliseconds; `until` is not in it. */
    readonly time: { from: number; until: number },
  ) {
    this.numbered = site.seed * 1000
  }

  at(at: number, act: () => Promise<unknown>): void {
    this.steps.push({ at, act })
  }

  /** A visitor whom nobody has seen before. */
  newcomer(traitsOf: (number: number) => VisitorTraits): Visitor {
    return new Visitor(this.world, this.site, traitsOf(this.numbered++))
  }

  /** The same addresses for every account. */
  newAddress(): string {
    return `visitor-${this.numbered++ - this.site.seed * 1000}@people.example`
  }

  /** An instant; every fifth close to a midnight of the account. `spare`: what is to be left of the time behind it. */
  moment({ from, until } = this.time, spare = 0): number {
    const at = this.random.between(from, until - spare - 1)
    if (!this.random.chance(0.2)) return at
    const nearMidnight = midnightAfter(at, this.site.timezone) - this.random.between(0, 25 * minute)
    return Math.min(nearMidnight, until - spare - 1)
  }
}

const midnightAfter = (at: number, timezone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).startOfDay().add({ days: 1 })
    .epochMilliseconds

/** Does what all have planned in the order of time, each at an instant of its own. */
export async function carryOut(plans: Plan[], { box }: World): Promise<void> {
  const within = plans.flatMap(({ steps, time }) => steps.filter(({ at }) => at >= time.from && at < time.until))
  let before = Number.NEGATIVE_INFINITY
  for (const { at, act } of within.toSorted((one, other) => one.at - other.at)) {
    before = Math.max(at, before + 1)
    box.clock.set(before)
    await act()
  }
}
