import type { Acted, Happening, Identified, Submitted, Verdict, Viewed } from '../month/happening.ts'
import { localDate } from './local-date.ts'
import { type Ways, waysOf } from './true-ways.ts'

type Of<Kind extends Happening['kind']> = Extract<Happening, { kind: Kind }>

/** Something that counts, on the date on which it does. */
export interface Counted {
  date: string
}

const visitPauseMs = 30 * 60 * 1000
/** Where a record stands that is only told by an hour. */
const hourMs = 60 * 60 * 1000

/**
 * What is true of one account, told from what was done and nothing else. Every list holds an item for each that counts,
 * in the order of time, so that it can be counted by the day, by name and in total.
 */
export class AccountTruth {
  readonly happenings: readonly Happening[]

  constructor(
    diary: readonly Happening[],
    private readonly site: { account: string; timezone: string },
  ) {
    this.happenings = diary.filter(({ account }) => account === site.account)
  }

  of<Kind extends Happening['kind']>(kind: Kind): Of<Kind>[] {
    return this.happenings.filter((happening): happening is Of<Kind> => happening.kind === kind)
  }

  date(at: number): string {
    return localDate(at, this.site.timezone)
  }

  views(isBot: boolean): (Counted & { device: string; slug: string | null })[] {
    const views = this.of('view').filter((view) => view.isBot === isBot)
    return views.map(({ at, device, slug }) => ({ date: this.date(at), device, slug }))
  }

  events(isBot: boolean): Counted[] {
    return this.of('event')
      .filter((event) => event.isBot === isBot)
      .map(({ at }) => ({ date: this.date(at) }))
  }

  /** A visit begins with a view after which its device was silent for half an hour before. */
  visits(): Counted[] {
    const lastSeen = new Map<string, number>()
    const visits: Viewed[] = []
    for (const happening of this.happenings) {
      if (happening.kind !== 'view' && happening.kind !== 'event' && happening.kind !== 'identify') continue
      if (happening.kind !== 'identify' && happening.isBot) continue
      const { kind, device, at } = happening
      const seen = lastSeen.get(device)
      const isWithin = seen !== undefined && at - seen < visitPauseMs
      if (kind === 'view' && !isWithin) visits.push(happening)
      if (kind === 'view' || isWithin) lastSeen.set(device, at)
    }
    return visits.map(({ at }) => ({ date: this.date(at) }))
  }

  /** Every device once for each day on which it viewed something. */
  visitorsOfDays(): (Counted & { device: string })[] {
    return [...new Map(this.views(false).map((view) => [`${view.date} ${view.device}`, view])).values()]
  }

  /** With what each click is taken for, now that it is known what its device did later. */
  clicks(): (Counted & { message: string | null; verdict: Verdict; device: string; at: number })[] {
    return this.happenings.flatMap((click, place) => {
      if (click.kind !== 'click') return []
      const isAlive = this.happenings.slice(place).some((later) => isSignOfLife(later) && later.device === click.device)
      const { at, message, device } = click
      return [{ date: this.date(at), at, device, message, verdict: isAlive ? click.verdictAlive : click.verdict }]
    })
  }

  /** Submissions that count, as leads or as likely duplicates, on the day of their receipt or release. */
  submissions(): (Counted & { submission: Submitted; isLead: boolean; source: string; campaign: string | null })[] {
    return this.of('submission')
      .filter(({ isRefused, releasedAt }) => !isRefused || releasedAt !== null)
      .map((submission) => ({
        date: this.date(submission.releasedAt ?? submission.at),
        submission,
        isLead: submission.repeats === null,
        source: this.waysTo(submission).last?.source ?? 'unknown',
        campaign: this.waysTo(submission).last?.campaign ?? null,
      }))
  }

  /** Counted by the hour: all of one belong to the day on which the hour began. */
  refusals(): (Counted & { endpoint: string; check: string })[] {
    return this.of('refusal').map(({ at, endpoint, check }) => ({
      date: this.date(Math.floor(at / hourMs) * hourMs),
      endpoint,
      check,
    }))
  }

  /** How the device of a submission had come by then. */
  waysTo({ device, at }: Pick<Submitted, 'device' | 'at'>): Ways {
    if (device === null) return { first: null, last: null }
    return waysOf(this.happenings.filter((one) => one.kind !== 'refusal' && one.device === device && one.at <= at))
  }
}

/** Something that only a browser with somebody behind it does. */
const isSignOfLife = (happening: Happening): happening is Viewed | Acted | Identified =>
  happening.kind === 'identify' || ((happening.kind === 'view' || happening.kind === 'event') && !happening.isBot)
