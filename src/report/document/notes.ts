import { count, plural } from '../../lib/quantities.ts'
import { beforeInWords, dayOfDate, fullDate } from './dates-text.ts'
import type { RefusalNote, ReportDocument } from './report-document.ts'

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
  return [isCompared ? `${upTo} They are compared with those ${beforeInWords(periods)}.` : upTo]
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
