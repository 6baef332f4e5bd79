import type { Happening } from '../month/happening.ts'
import type { AccountTruth } from './account-truth.ts'
import { type Ways, waysOf } from './true-ways.ts'

/** What is true of somebody who said their address. */
export interface TruePerson {
  email: string
  traits: Record<string, string>
  /** Epoch milliseconds. */
  firstSeenAt: number
  lastSeenAt: number
  /** In the order in which they said so. */
  devices: string[]
  submissions: number
  events: number
  ways: Ways
}

/** From an instant on the device is theirs. */
interface Tie {
  at: number
  email: string
}

/** Who had which device when, by what was said on it. */
export class Owners {
  private readonly ties = new Map<string, Tie[]>()

  constructor(private readonly truth: AccountTruth) {
    for (const happening of truth.happenings) {
      const device = deviceOf(happening)
      const email = saidEmail(happening)
      if (device === null || email === null) continue
      this.ties.set(device, [...(this.ties.get(device) ?? []), { at: happening.at, email }])
    }
  }

  /** Whose the happening is: of those who say who they are, their own; else of whoever had the device, or had it next. */
  of(happening: Happening): string | null {
    if (happening.kind === 'submission') {
      if (!counts(happening)) return null
      if (happening.email !== null) return happening.email
    }
    const device = deviceOf(happening)
    const ties = device === null ? [] : (this.ties.get(device) ?? [])
    return (ties.findLast(({ at }) => at <= happening.at) ?? ties[0])?.email ?? null
  }

  devicesOf(email: string): string[] {
    const tied = [...this.ties].flatMap(([device, ties]) => {
      const tie = ties.find((one) => one.email === email)
      return tie === undefined ? [] : [{ device, at: tie.at }]
    })
    return tied.toSorted((one, other) => one.at - other.at).map(({ device }) => device)
  }

  /** How they came, on all their devices; to one that was somebody else's before, as that one came last. */
  waysOf(email: string): Ways {
    const own = this.truth.happenings.filter((happening) => this.of(happening) === email)
    const before = this.devicesOf(email).flatMap((device) => this.lastWayBefore(device, email))
    return waysOf([...before, ...own].toSorted((one, other) => one.at - other.at))
  }

  private lastWayBefore(device: string, email: string): Happening[] {
    const ties = this.ties.get(device) ?? []
    const tie = ties.find((one) => one.email === email)
    if (tie === undefined || tie === ties[0]) return []
    const ofDevice = this.truth.happenings.filter((one) => deviceOf(one) === device && one.at < tie.at)
    const { last } = waysOf(ofDevice)
    return ofDevice.filter((one) => 'from' in one && one.from !== null && one.from === last).slice(-1)
  }
}

export function truePersons(truth: AccountTruth): TruePerson[] {
  const owners = new Owners(truth)
  const records = new Map<string, Happening[]>()
  for (const happening of truth.happenings) {
    const email = happening.kind === 'refusal' ? null : owners.of(happening)
    if (email !== null) records.set(email, [...(records.get(email) ?? []), happening])
  }
  return [...records].map(([email, theirs]) => {
    const submissions = theirs.filter(({ kind }) => kind === 'submission').length
    return {
      email,
      traits: Object.assign({}, ...theirs.map((one) => (one.kind === 'identify' ? one.traits : {}))),
      firstSeenAt: Math.min(...theirs.map(({ at }) => at)),
      lastSeenAt: Math.max(...theirs.map(({ at }) => at)),
      devices: owners.devicesOf(email),
      submissions,
      events: theirs.length - submissions,
      ways: owners.waysOf(email),
    }
  })
}

/** Whether it was accepted, or is as if it had been. */
const counts = (happening: Happening): boolean =>
  happening.kind === 'submission' && (!happening.isRefused || happening.releasedAt !== null)

function saidEmail(happening: Happening): string | null {
  if (happening.kind === 'identify') return happening.email
  return happening.kind === 'submission' && counts(happening) ? happening.email : null
}

const deviceOf = (happening: Happening): string | null => (happening.kind === 'refusal' ? null : happening.device)
