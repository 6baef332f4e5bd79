/** The figures of one day; docs/reports.md defines each. */
export interface DailyFigures {
  visits: number
  visitors: number
  views: number
  viewsByBots: number
  events: number
  eventsByBots: number
  leads: number
  likelyDuplicates: number
  clicks: ClickFigures
  /** Requests. */
  refused: number
  /** Page views that could not be stored. No other figure includes them. */
  lostPageViews: number
}

/** What counts visitors and what they did, in the order in which it is shown; beside clicks, which are three. */
export const countedFigures = [
  'visits',
  'visitors',
  'views',
  'viewsByBots',
  'events',
  'eventsByBots',
  'leads',
  'likelyDuplicates',
] as const satisfies (keyof DailyFigures)[]

export interface ClickFigures {
  human: number
  suspected: number
  machine: number
}

/** The figures of several days. */
export interface Totals extends Omit<DailyFigures, 'visitors'> {
  /** Devices, each counted once; `null`: the data to count them has expired. */
  visitors: number | null
}

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
export interface FiguresReport {
  /** Dates in the account's time zone, both included: `2026-11-20`. */
  from: string
  to: string
  totals: Totals
  /** Without gaps, from the first day on that anything was ever counted for. */
  days: (DailyFigures & { date: string })[]
  /** Most leads first; `name` is `null` when the account has no such form any more. */
  forms: { id: string; name: string | null; leads: number; likelyDuplicates: number }[]
  /** Most leads first; `(other)` is what a day's leads named beyond so many sources. */
  sources: { source: string; leads: number }[]
  /** Most leads first; leads whose last touch named a campaign, from when they were counted by campaign. */
  campaigns: { campaign: string; leads: number }[]
  /** Views of landing pages, most first; days before they were counted by page have none. */
  pages: { slug: string; views: number }[]
  /** Most human clicks first; `message` is `null` for links that name none. */
  messages: ({ message: string | null } & ClickFigures)[]
  /** The goals that are configured now, in the order of `site.toml`. */
  goals: GoalFigures[]
  funnels: FunnelFigures[]
  /** Most first. */
  refusals: { endpoint: string; check: string; count: number }[]
  /** Submissions in quarantine: refused as a bot's, not released, and not past their retention. */
  quarantined: number
  /** The first and last date that anything was ever counted for; `null`: nothing was. */
  known: { first: string; last: string } | null
}
