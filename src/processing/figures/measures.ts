import { versionKey } from '../../account/split.ts'
import type { ClickVerdict } from '../../ledger/entry.ts'
import type { Hit, Touch } from '../attribution/touch.ts'
import type { ShownVersion } from '../attribution/versions.ts'
import {
  type Channel,
  type ChannelDivision,
  channelDivisions,
  channelOfTouch,
  type DeviceKind,
  type NamedDivision,
  type TouchChannel,
} from './channel.ts'

// The measures of an account's days (docs/reports.md): what adds to each, and the names that it is split by.
// report/figures.ts says how they are shown. Whoever counts an entry, forgets it or derives it again reads these tables.

export interface CountedHit {
  entry: Hit
  isView: boolean
  /** Neither a click nor `$identify`, which only names the visitor (spec, Event batch request body). */
  isEvent: boolean
  isBot: boolean
  /** Whether it is a view after a pause. */
  beginsVisit: boolean
  /** Whether it is its device's first view of the day. */
  isNewVisitor: boolean
}

interface HitMeasure {
  /** Its bit in `device_entry.counted`, which says what the entry added. On disk: never renumber. */
  bit: number
  adds(hit: CountedHit): boolean
  /** What splits it; `null`: such a hit adds nothing. Without it, the measure has no names. */
  name?(hit: ReadHit): string | null
}

/** A hit whose record may be damaged; when it came in is known all the same. */
interface ReadHit {
  receivedAt: number
  /** `null`: it is unreadable. */
  read: () => Hit | null
}

const readHit = (entry: Hit): ReadHit => ({ receivedAt: entry.receivedAt, read: () => entry })

export const hourMs = 3_600_000

/** As figures have it: hours since the Unix epoch. */
const hourOf = (at: number): number => Math.floor(at / hourMs)

function hourName({ receivedAt }: ReadHit): string {
  return String(hourOf(receivedAt))
}

function pageViewOf({ read }: ReadHit) {
  const entry = read()
  return entry?.kind === 'page_view' ? entry : null
}

/**
 * Hits of declared programs are kept apart and never added. A day's hours say how much of it had come in at some time, so that a
 * day that is not over is compared with the same hours.
 */
const ofHits = {
  view: { bit: 1, adds: ({ isView, isBot }) => isView && !isBot },
  view_bot: { bit: 2, adds: ({ isView, isBot }) => isView && isBot },
  event: { bit: 4, adds: ({ isEvent, isBot }) => isEvent && !isBot },
  event_bot: { bit: 8, adds: ({ isEvent, isBot }) => isEvent && isBot },
  visit: { bit: 16, adds: ({ beginsVisit }) => beginsVisit },
  visitor: { bit: 32, adds: ({ isNewVisitor }) => isNewVisitor },
  /** Views by landing page. */
  page: {
    bit: 128,
    adds: ({ isView, isBot }) => isView && !isBot,
    name: (hit) => pageViewOf(hit)?.slug ?? null,
  },
  /** Views by connected domain, whatever the port: what a plan that drops one takes away. */
  host: {
    bit: 256,
    adds: ({ isView, isBot }) => isView && !isBot,
    name: (hit) => pageViewOf(hit)?.source.host ?? null,
  },
  hour_view: { bit: 512, adds: ({ isView, isBot }) => isView && !isBot, name: hourName },
  hour_visit: { bit: 1024, adds: ({ beginsVisit }) => beginsVisit, name: hourName },
  hour_visitor: { bit: 2048, adds: ({ isNewVisitor }) => isNewVisitor, name: hourName },
} as const satisfies Record<string, HitMeasure>

/** The bit of an event that continued a visit: it is in no figure, but extends the visit. */
export const wentOnBit = 64

type HitMeasureName = keyof typeof ofHits
type LeadMeasure = `lead_${NamedDivision}`
export type Measure =
  | HitMeasureName
  | LeadMeasure
  /** Visits by what began them, visitors by what began their latest visit, and leads: the divisions of channel.ts. */
  | `${'visit' | 'visitor' | 'lead'}_${ChannelDivision}`
  /** Accepted or released submissions by form, without likely duplicates; and those. */
  | 'lead'
  | 'duplicate'
  /** Leads and human clicks of a day by the hour they began to count in. */
  | 'hour_lead'
  | 'hour_click'
  /** Clicks by message and present verdict. */
  | `click_${ClickVerdict}`
  /** Visits in which a goal was done, how often it was, and visits that did a step of a funnel (account/goal.ts has the names). */
  | 'goal'
  | 'goal_time'
  | 'funnel'
  /** Visits in which a version of a split page was viewed, and leads that followed (`versionKey`). */
  | 'split_visit'
  | 'split_lead'
  /** Devices whose latest view was on that day: summed from a day on, each visitor since then once. See `visitorMoved`. */
  | 'visitor_last'
  /** Devices that viewed something, by the day with a view before it and its channel. See `leftDay`. */
  | 'visitor_return'

export interface Figure {
  day: number
  measure: Measure
  /** '' for measures without a split. */
  name: string
}

type FigureOfDay = Omit<Figure, 'day'>

export interface FigureChange extends Figure {
  count: number
}

/** What a lead is counted under by its last touch, in columns of `submission_fact`; `null`: it names no campaign. */
export type LeadNames = Record<LeadMeasure, string | null>

export interface CountedSubmission {
  day: number
  /** `null`: it is a likely duplicate. */
  lead: LeadNames | null
}

interface CountedRecord {
  formId: string
  versions: readonly Version[]
  device: DeviceKind
  /** When it began to count, epoch milliseconds. */
  at: number
  /** `null`: it counts for nothing. */
  counted: CountedSubmission | null
}

/** What an entry alone added to the figures; `null`: nothing of the kind. */
export interface CountedEntry {
  hit: (NotedHit & ReadHit) | null
  click: { day: number; receivedAt: number; message: string; verdict: ClickVerdict } | null
  goals: { day: number; targets: readonly string[]; counted: readonly string[] } | null
  submission: CountedRecord | null
}

/** The figures that the entry added one to, and that its erasure takes one from. */
export const figuresOfEntry = ({ hit, click, goals, submission }: CountedEntry): Figure[] => [
  ...(hit === null ? [] : figuresOfHit(hit.counted, hit).map((figure) => ({ ...figure, day: hit.day }))),
  ...(hit === null ? [] : figuresOfChannel('visit', hit.day, hit.channel)),
  ...(click === null ? [] : figuresOfClick(click)),
  ...(goals === null ? [] : figuresOfGoals(goals).map((figure) => ({ ...figure, day: goals.day }))),
  ...(submission === null ? [] : figuresOfSubmission(submission)),
]

const hitMeasures = Object.entries<HitMeasure>(ofHits).map(([name, measure]) => ({
  ...measure,
  measure: name as HitMeasureName,
}))

/** What a hit added to the figures, so that its erasure can subtract it. */
export interface NotedHit {
  day: number
  /** See `bitsOf`. */
  counted: number
  /** Of the visit that it began, as counted; `null`: it began none. */
  channel: Channel | null
}

export function bitsOf(hit: CountedHit): number {
  let bits = 0
  for (const { bit, adds, name } of hitMeasures) {
    if (adds(hit) && (name === undefined || name(readHit(hit.entry)) !== null)) bits |= bit
  }
  return bits
}

export function figuresOfHit(bits: number, hit: ReadHit): FigureOfDay[] {
  const figures: FigureOfDay[] = []
  for (const { measure, bit, name } of hitMeasures) {
    if ((bits & bit) === 0) continue
    if (name === undefined) {
      figures.push({ measure, name: '' })
      continue
    }
    const named = name(hit)
    if (named !== null) figures.push({ measure, name: figureName(named) })
  }
  return figures
}

/** What it changes that a hit with the first bits has the second ones. */
export const figuresRecounted = (before: number, after: number, entry: Hit): Omit<FigureChange, 'day'>[] => [
  ...figuresOfHit(before & ~after, readHit(entry)).map((figure) => ({ ...figure, count: -1 })),
  ...figuresOfHit(after & ~before, readHit(entry)).map((figure) => ({ ...figure, count: 1 })),
]

/** The bits of entries that a visit lasts until. */
export const goesOnBits = ofHits.view.bit | wentOnBit

/** What of a visit is known of an entry by its bits: `isView` by a person, `begins` one, `goesOn` what it lasts until. */
export const visitOf = (bits: number): { isView: boolean; begins: boolean; goesOn: boolean } => ({
  isView: (bits & ofHits.view.bit) !== 0,
  begins: (bits & ofHits.visit.bit) !== 0,
  goesOn: (bits & goesOnBits) !== 0,
})

/** Whether a program sent it, as its bits say; `null`: they do not, since it counted nowhere. */
export function wasBot(bits: number): boolean | null {
  if ((bits & (ofHits.view_bot.bit | ofHits.event_bot.bit)) !== 0) return true
  return (bits & (ofHits.view.bit | ofHits.event.bit)) === 0 ? null : false
}

export const figuresOfClick = ({ day, receivedAt, message, verdict }: NonNullable<CountedEntry['click']>): Figure[] => [
  { day, measure: `click_${verdict}`, name: message },
  ...(verdict === 'human' ? [{ day, measure: 'hour_click' as const, name: String(hourOf(receivedAt)) }] : []),
]

export type Version = Pick<ShownVersion, 'split' | 'variant'>

export const versionMark = '@'

/** What a view of a version does in its visit, beside goals. No aim's key begins like it. */
export const versionTarget = ({ split, variant }: Version): string => versionMark + versionKey(split, variant)

/** The version that `versionTarget` names. */
export function versionOfTarget(target: string): Version {
  const colon = target.indexOf(':')
  return { variant: target.slice(versionMark.length, colon), split: target.slice(colon + 1) }
}

/** Each goal that it did, and each goal, step of a funnel and version of a page that its visit had not had before. */
export const figuresOfGoals = ({
  targets,
  counted,
}: Pick<NonNullable<CountedEntry['goals']>, 'targets' | 'counted'>): FigureOfDay[] => [
  ...targets.filter(isGoal).map((name) => ({ measure: 'goal_time' as const, name })),
  ...counted.map(figureOfTarget),
]

const isStep = (target: string): boolean => target.startsWith('#')
const isGoal = (target: string): boolean => !isStep(target) && !target.startsWith(versionMark)

function figureOfTarget(target: string): FigureOfDay {
  if (target.startsWith(versionMark)) return { measure: 'split_visit', name: target.slice(versionMark.length) }
  return { measure: isStep(target) ? 'funnel' : 'goal', name: target }
}

/**
 * A lead counts by form, device and hour, by the versions that it followed and by what splits leads, a likely duplicate by form, a
 * quarantined submission nowhere.
 */
export function figuresOfSubmission({ formId, versions, device, at, counted }: CountedRecord): Figure[] {
  if (counted === null) return []
  const { day, lead } = counted
  if (lead === null) return [{ day, measure: 'duplicate', name: formId }]
  return [
    { day, measure: 'lead', name: formId },
    { day, measure: 'lead_device', name: device },
    { day, measure: 'hour_lead', name: String(hourOf(at)) },
    ...figuresOfOrigin({ versions, counted }),
  ]
}

/** A lead's figures beside that of its form: those that where it came from decides. */
export function figuresOfOrigin({ versions, counted }: Pick<CountedRecord, 'versions' | 'counted'>): Figure[] {
  if (counted === null || counted.lead === null) return []
  const { day, lead } = counted
  const ofVersions = versions.map(({ split, variant }): Figure => {
    return { day, measure: 'split_lead', name: versionKey(split, variant) }
  })
  const named = leadMeasures.flatMap((measure): Figure[] => {
    const name = lead[measure]
    return name === null ? [] : [{ day, measure, name }]
  })
  return [...ofVersions, ...named]
}

export const leadMeasures: readonly LeadMeasure[] = ['lead_source', 'lead_medium', 'lead_campaign', 'lead_page']

/** What a name counts under: itself, or the others of its day. */
type CountedName = (division: NamedDivision, name: string) => string

export function leadNames({ last }: { last: Touch | null }, counted: CountedName = (_, name) => name): LeadNames {
  const { source, medium, campaign, page } = countedTouch(channelOfTouch(last), counted)
  return { lead_source: source, lead_medium: medium, lead_campaign: campaign, lead_page: page }
}

export const isSameLead = (one: LeadNames, other: LeadNames): boolean =>
  leadMeasures.every((measure) => one[measure] === other[measure])

export const figuresOfChannel = (counted: 'visit' | 'visitor', day: number, channel: Channel | null): Figure[] =>
  channelDivisions.flatMap((division) => {
    const name = channel?.[division] ?? null
    return name === null ? [] : [{ day, measure: `${counted}_${division}` as const, name }]
  })

const changed = (before: readonly Figure[], after: readonly Figure[]): FigureChange[] => [
  ...before.map((figure) => ({ ...figure, count: -1 })),
  ...after.map((figure) => ({ ...figure, count: 1 })),
]

/** A visit that a device began counts for another channel. */
export const visitMoved = (day: number, from: Channel | null, to: Channel | null): FigureChange[] =>
  changed(figuresOfChannel('visit', day, from), figuresOfChannel('visit', day, to))

export const countedChannel = (channel: Channel, counted: CountedName): Channel => ({
  ...countedTouch(channel, counted),
  device: channel.device,
})

/** Whether a channel counts as that one, or did once its day listed its names. */
export const isCountedAs = (counted: TouchChannel, { source, medium, campaign, page }: TouchChannel): boolean =>
  [
    [counted.source, source],
    [counted.medium, medium],
    [counted.campaign, campaign],
    [counted.page, page],
  ].every(([one, other]) => one === otherNames || one === other)

const countedTouch = ({ source, medium, campaign, page }: TouchChannel, counted: CountedName): TouchChannel => ({
  source: counted('source', figureName(source)),
  medium: counted('medium', figureName(medium)),
  campaign: campaign === null ? null : counted('campaign', figureName(campaign)),
  page: counted('page', figureName(page)),
})

/** A day on which a device viewed something, and what began its latest visit then, as counted. */
export interface VisitedDay {
  day: number
  channel: Channel | null
}

/** What it changes that a device has the second days with a view instead of the first, each in order and to the latest. */
export const visitorMoved = (from: readonly VisitedDay[], to: readonly VisitedDay[]): FigureChange[] => [
  ...returnsMoved(from, to),
  ...changed(from.slice(-1).flatMap(figuresOfLast), to.slice(-1).flatMap(figuresOfLast)),
]

/** The same of days in between, of which none is the device's latest. */
export const returnsMoved = (from: readonly VisitedDay[], to: readonly VisitedDay[]): FigureChange[] =>
  changed(returns(from), returns(to))

/** What a day counts as long as its visitor has not come back. */
export const figuresOfLast = ({ day, channel }: VisitedDay): Figure[] => [
  { day, measure: 'visitor_last', name: '' },
  ...figuresOfChannel('visitor', day, channel),
]

/** Each day after the first counts what the one before it counted as the latest, so that every period's visitors can be told. */
const returns = (days: readonly VisitedDay[]): Figure[] =>
  days.slice(1).map(({ day }, index) => ({ day, measure: 'visitor_return', name: leftDay(days[index] as VisitedDay) }))

/** The day that a visitor came back from, as a figure's name: those of a stretch of days are next to each other. */
const leftDay = ({ day, channel }: VisitedDay): string =>
  JSON.stringify([day, ...(channel === null ? [] : channelDivisions.map((division) => channel[division]))])

/** The day that `leftDay` names. */
export function dayLeft(name: string): VisitedDay {
  const [day, ...names] = JSON.parse(name)
  const channel = Object.fromEntries(channelDivisions.map((division, place) => [division, names[place]]))
  return { day, channel: names.length === 0 ? null : (channel as unknown as Channel) }
}

/** Characters kept of a figure's name. Figures outlive all records, and visitors can make names up. */
const nameCharactersMax = 100

/** Cutting in the middle of a surrogate pair would leave invalid text, and the JSON of SQLite ends names at a NUL. */
export const figureName = (name: string): string =>
  name.slice(0, nameCharactersMax).replaceAll('\0', '\u{fffd}').toWellFormed()

/** Names that an account's visits and leads of a day are counted under in each division, besides the built-in ones. */
export const dayNamesMax = 200

/** Counts the visits and leads of all further names. */
export const otherNames = '(other)'

/** Built-in names: never subject to the daily limit, and not among the names it counts. */
export const ownNames: readonly string[] = ['direct', 'none', 'unknown', otherNames]
