import { count, plural } from '../../lib/quantities.ts'
import type { FiguresReport } from '../figures.ts'
import { compared } from './key-figures.ts'
import { beforeInWords, dayOfDate, fullDate } from './period.ts'
import type { RefusalNote, ReportDocument } from './report-document.ts'
import { shownName } from './shown-name.ts'

/** The report in one or two sentences, for readers in a hurry. */
export function summaryOf(document: ReportDocument, before: FiguresReport | null): string {
  const { visits, leads } = document.figures.totals
  if (visits + leads === 0 && (before === null || before.totals.visits + before.totals.leads === 0)) {
    return 'No visits and no leads.'
  }
  return [`${visitsAndLeads(document, before)}.`, ...best(document.figures)].join(' ')
}

/** `1,530 visits, 12% more than in September, and 42 leads, 3 fewer` */
function visitsAndLeads({ figures, periods }: ReportDocument, before: FiguresReport | null): string {
  const { visits, leads } = figures.totals
  const visitsText = visits === 0 ? 'No visits' : plural(visits, 'visit')
  const leadsText = leads === 0 ? 'no leads' : plural(leads, 'lead')
  if (before === null) return `${visitsText} and ${leadsText}`
  const than = thanBefore(visits, before.totals.visits, beforeInWords(periods))
  const leadsThan = leads + before.totals.leads === 0 ? '' : `, ${compared(leads, before.totals.leads).words}`
  return `${visitsText}, ${than}, and ${leadsText}${leadsThan}`
}

function thanBefore(now: number, before: number, when: string): string {
  const { words, direction } = compared(now, before)
  if (before === 0) return now === 0 ? `as ${when}` : `none ${when}`
  return direction === 'same' ? `as many as ${when}` : `${words} than ${when}`
}

/** Names of real sources; the others mean that the source is unknown. */
const untold: ReadonlySet<string> = new Set(['unknown', '(other)', 'direct'])

function best({ sources, pages }: FiguresReport): string[] {
  const source = sources.find(({ source }) => !untold.has(source))
  const [page] = pages
  return [
    ...(source === undefined || source.leads === 0
      ? []
      : [`Best source: ${shortened(source.source)} with ${plural(source.leads, 'lead')}.`]),
    ...(page === undefined || page.views === 0
      ? []
      : [
          `Most viewed page: /${shortened(page.slug)} with ${count(page.views)} ${page.views === 1 ? 'view' : 'views'}.`,
        ]),
  ]
}

/** The longest name in a sentence. */
const nameCharactersMax = 50

function shortened(name: string): string {
  const shown = shownName(name)
  return shown.length <= nameCharactersMax ? shown : `${shown.slice(0, nameCharactersMax).toWellFormed()}…`
}

/** What readers must know about the figures: what is missing, too recent or not over yet. */
export function notesOf(document: ReportDocument, isCompared: boolean): string[] {
  const { figures, waiting } = document
  return [
    ...unfinished(document, isCompared),
    ...beginning(document, isCompared),
    ...some(
      figures.totals.lostPageViews,
      (views) => `${plural(views, 'page view')} could not be stored and ${is(views)} in no figure.`,
    ),
    ...some(
      waiting,
      (records) => `${plural(records, 'record')} ${is(records)} still being processed and not in these figures.`,
    ),
  ]
}

function unfinished({ periods }: ReportDocument, isCompared: boolean): string[] {
  if (periods.isOver) return []
  const upTo = `These figures include ${fullDate(periods.shown.untilDay - 1)}, a day that is not over.`
  return [
    isCompared
      ? `${upTo} They are compared with those ${beforeInWords(periods)}, of whose last day only the same hours count.`
      : upTo,
  ]
}

function beginning({ figures, periods }: ReportDocument, isCompared: boolean): string[] {
  if (figures.known === null) return ['Nothing has been counted yet.']
  const first = dayOfDate(figures.known.first)
  if (first >= periods.shown.untilDay) return [`Counting began later, on ${fullDate(first)}.`]
  if (first > periods.shown.fromDay) return [`Counting began on ${fullDate(first)}. Earlier days have no figures.`]
  if (isCompared) return []
  return [`Counting began on ${fullDate(first)}, so there is no complete earlier period to compare with.`]
}

const some = (number: number, sentence: (number: number) => string): string[] => (number > 0 ? [sentence(number)] : [])

const is = (number: number): string => (number === 1 ? 'is' : 'are')

/** What was kept out, in a sentence each: submissions in quarantine, then refusals. */
export const keptOutTexts = ({
  refusals,
  quarantined,
}: {
  refusals: readonly RefusalNote[]
  quarantined: number
}): string[] => [
  ...[quarantineText(quarantined)].filter((text) => text !== null),
  ...refusals.map(({ count: refused, what, advice }) => `${what}: ${count(refused)} times. ${advice}`),
]

/** The number of submissions in quarantine, in a sentence; `null`: none. */
export const quarantineText = (waiting: number): string | null =>
  waiting === 0
    ? null
    : `${count(waiting)} ${waiting === 1 ? 'submission looked like a bot’s and was' : 'submissions looked like bots’ and were'} kept apart. If one is genuine, it can be released and then counts as a lead.`
