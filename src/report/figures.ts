import type { ReportTexts } from '../language/texts/en.ts'
import { filled } from '../language/wording.ts'
import type { Measure } from '../processing/figures/measures.ts'
import type { Channels } from './channels.ts'
import type { MissingAddress } from './missing.ts'
import type { SplitFigures } from './splits.ts'

/** The figures of a day that count visitors and what they did, by the measure of each, in the order in which they are shown. */
export const dayFigures = {
  visits: 'visit',
  visitors: 'visitor',
  views: 'view',
  viewsByBots: 'view_bot',
  events: 'event',
  eventsByBots: 'event_bot',
  leads: 'lead',
  likelyDuplicates: 'duplicate',
} as const satisfies Record<string, Measure>

export type DayFigure = keyof typeof dayFigures

/** A count of a list. */
interface CountOfList {
  measure: Measure
  heading(texts: ReportTexts): string
  /** In CSV, where it is not the field's own name. */
  column?: string
  /** Only in figures: an owner's report says it in a sentence. */
  isAside?: true
}

/** The clicks of a day or a message, by verdict. */
export const clickCounts = {
  human: { measure: 'click_human', heading: ({ lists }) => lists.messages.human, column: 'humanClicks' },
  suspected: {
    measure: 'click_suspected',
    heading: ({ lists }) => lists.messages.suspected,
    column: 'suspectedClicks',
  },
  machine: { measure: 'click_machine', heading: ({ lists }) => lists.messages.machine, column: 'machineClicks' },
} as const satisfies Record<string, CountOfList>

/** The measures of the figures of a day; the sums of others are of no use. */
export const dailyMeasures: ReadonlySet<Measure> = new Set([
  ...Object.values(dayFigures),
  ...Object.values(clickCounts).map(({ measure }) => measure),
])

/** The figures of a day that are known by the hour, by what counts them so. */
export const hourlyFigures = {
  visits: 'hour_visit',
  visitors: 'hour_visitor',
  views: 'hour_view',
  leads: 'hour_lead',
  humanClicks: 'hour_click',
} as const satisfies Record<string, Measure>

export type HourlyFigure = keyof typeof hourlyFigures
/** Read apart from all others, of single days. */
export const hourlyMeasures: readonly Measure[] = Object.values(hourlyFigures)

/** How a report shows the names that split measures: most of the first count first. */
export interface FigureList {
  /** The field of its rows that has the name. */
  key: string
  counts: Readonly<Record<string, CountOfList>>
  /** The name in a report for an account's owner; absent: the report has the list among its channels. */
  shown?(row: ListRow, texts: ReportTexts): string
}

/** Under the names of their fields in the JSON. */
export const lists = {
  forms: {
    key: 'id',
    counts: {
      leads: { measure: 'lead', heading: ({ figures }) => figures.leads },
      likelyDuplicates: { measure: 'duplicate', heading: () => 'Likely duplicates', isAside: true },
    },
    shown: ({ id, name }, { lists: { forms } }) => String(name ?? filled(forms.gone, { id: String(id) })),
  },
  sources: { key: 'source', counts: { leads: { measure: 'lead_source', heading: ({ figures }) => figures.leads } } },
  campaigns: {
    key: 'campaign',
    counts: { leads: { measure: 'lead_campaign', heading: ({ figures }) => figures.leads } },
  },
  pages: {
    key: 'slug',
    counts: { views: { measure: 'page', heading: ({ lists }) => lists.pages.views } },
    shown: ({ slug }) => `/${slug}`,
  },
  messages: {
    key: 'message',
    counts: clickCounts,
    shown: ({ message }, { lists: { messages } }) => String(message ?? messages.none),
  },
} as const satisfies Record<string, FigureList>

export type ListName = keyof typeof lists
export const listNames = Object.keys(lists) as ListName[]

/** The lists that a report shows as such. */
export type ReportedList = { [L in ListName]: Lists[L] extends { shown: unknown } ? L : never }[ListName]
export const reportedLists = listNames.filter((name): name is ReportedList => 'shown' in lists[name])

/** A row of any list; `null`: links that name no message, a form that is no longer there. */
export type ListRow = Readonly<Record<string, string | number | null>>

type Lists = typeof lists
type Counts<L extends ListName> = Record<keyof Lists[L]['counts'], number>

/** The rows of each list, most first. */
type Rows = { [L in Exclude<ListName, 'forms' | 'messages'>]: (Record<Lists[L]['key'], string> & Counts<L>)[] } & {
  /** `name` is `null` when the account has no such form any more. */
  forms: ({ id: string; name: string | null } & Counts<'forms'>)[]
  /** `message` is `null` for links that name none. */
  messages: ({ message: string | null } & Counts<'messages'>)[]
}

export type ClickFigures = Record<keyof typeof clickCounts, number>

/** The figures of one day; docs/reports.md defines each. */
export interface DailyFigures extends Record<DayFigure, number> {
  clicks: ClickFigures
  /** Requests. */
  refused: number
  /** Page views that could not be stored. No other figure includes them. */
  lostPageViews: number
}

/** The figures of several days; visitors are devices, each counted once. */
export type Totals = DailyFigures

/** What counts, one of the three. */
export interface AimFigures {
  /** A form's id. */
  form?: string
  event?: string
  /** A path. */
  page?: string
}

export interface GoalFigures extends AimFigures {
  name: string
  /** Visits that reached the goal. */
  visits: number
  /** How often the goal was reached, including outside of visits. */
  times: number
  /** All visits of the days on which the goal was counted. */
  ofVisits: number
  /** `visits` of `ofVisits` in per cent, with one decimal; `null`: there were none. */
  conversion: number | null
  /** The date on which counting began, if it is within the period. */
  since: string | null
}

export interface FunnelFigures extends Pick<GoalFigures, 'name' | 'ofVisits' | 'since'> {
  /** Visits that reached each step. */
  steps: (AimFigures & { visits: number })[]
  /** The share of visits that reached the last step among those that reached the first, in per cent with one decimal. */
  conversion: number | null
}

/** An account's figures from one day to another, as `capture report --json` prints them. */
export interface FiguresReport extends Rows {
  /** Dates in the account's time zone, both included: `2026-11-20`. */
  from: string
  to: string
  totals: Totals
  /** Without gaps, from the first day on that anything was ever counted for. */
  days: (DailyFigures & { date: string })[]
  channels: Channels
  /** The goals that are configured now, in the order of `site.toml`. */
  goals: GoalFigures[]
  funnels: FunnelFigures[]
  splits: SplitFigures[]
  /** Most first. */
  refusals: { endpoint: string; check: string; count: number }[]
  /** Most first; at most `missingShownMax`. */
  missing: MissingAddress[]
  /** Submissions in quarantine: refused as a bot's or by an operator, not released, and not past their retention. */
  quarantined: number
  /** The first and last date that anything was ever counted for; `null`: nothing was. */
  known: { first: string; last: string } | null
}
