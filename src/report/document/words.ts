import type { Locale } from '../../language/locale.ts'
import { filled } from '../../language/wording.ts'
import type { FiguresReport } from '../figures.ts'
import { compared } from './key-figures.ts'
import { beforeInWords, dayOfDate } from './period.ts'
import type { ReportDocument } from './report-document.ts'
import { shownName } from './shown-name.ts'

/** The report in one or two sentences, for readers in a hurry. */
export function summaryOf(document: ReportDocument, before: FiguresReport | null, locale: Locale): string {
  const { visits, leads } = document.figures.totals
  if (visits + leads === 0 && (before === null || before.totals.visits + before.totals.leads === 0)) {
    return locale.texts.report.summary.nothing
  }
  return [visitsAndLeads(document, before, locale), ...best(document.figures, locale)].join(' ')
}

/** `1,530 visits, 12% more than in September, and 42 leads, 3 fewer.` */
function visitsAndLeads({ figures, periods }: ReportDocument, before: FiguresReport | null, locale: Locale): string {
  const { summary } = locale.texts.report
  const { visits, leads } = figures.totals
  const both = { visits: visitsText(visits, locale), leads: leadsText(leads, locale) }
  if (before === null) return filled(summary.plain, both)
  const since = sinceBefore(visits, before.totals.visits, { when: beforeInWords(periods, locale), locale })
  if (leads + before.totals.leads === 0) return filled(summary.visitsCompared, { ...both, since })
  return filled(summary.compared, { ...both, since, change: compared(leads, before.totals.leads, locale).words })
}

const visitsText = (visits: number, locale: Locale): string =>
  visits === 0 ? locale.texts.report.summary.noVisits : locale.plural(locale.texts.report.counted.visits, visits)

/** `3 leads`, `no leads` */
export const leadsText = (leads: number, locale: Locale): string =>
  leads === 0 ? locale.texts.report.summary.noLeads : locale.plural(locale.texts.report.counted.leads, leads)

function sinceBefore(now: number, before: number, { when, locale }: { when: string; locale: Locale }): string {
  const { summary } = locale.texts.report
  if (before === 0) return filled(now === 0 ? summary.noneInBoth : summary.noneBefore, { when })
  if (now === 0) return filled(summary.noneNow, { before: locale.count(before), when })
  const { words, direction } = compared(now, before, locale)
  return direction === 'same' ? filled(summary.same, { when }) : filled(summary.than, { change: words, when })
}

function best({ sources, campaigns, pages: [page] }: FiguresReport, locale: Locale): string[] {
  const { summary, counted, channels } = locale.texts.report
  const sentences: string[] = []
  const addBest = (text: string, rows: { name: string; leads: number }[], own: object): void => {
    const best = rows.find(({ name }) => !Object.hasOwn(own, name))
    if (best === undefined || best.leads === 0) return
    sentences.push(filled(text, { name: shortened(best.name), leads: leadsText(best.leads, locale) }))
  }
  const ofSources = sources.map(({ source: name, leads }) => ({ name, leads }))
  const ofCampaigns = campaigns.map(({ campaign: name, leads }) => ({ name, leads }))
  addBest(summary.bestSource, ofSources, channels.sources.own)
  addBest(summary.bestCampaign, ofCampaigns, channels.campaigns.own)
  if (page !== undefined && page.views > 0) {
    const views = locale.plural(counted.pageViews, page.views)
    sentences.push(filled(summary.mostViewed, { page: `/${shortened(page.slug)}`, views }))
  }
  return sentences
}

/** The longest name in a sentence. */
const nameCharactersMax = 50

function shortened(name: string): string {
  const shown = shownName(name)
  return shown.length <= nameCharactersMax ? shown : `${shown.slice(0, nameCharactersMax).toWellFormed()}…`
}

/** What readers must know about the figures: what is missing, too recent or not over yet. */
export function notesOf(document: ReportDocument, isCompared: boolean, locale: Locale): string[] {
  const { notes } = locale.texts.report
  const { figures, waiting } = document
  const { lostPageViews } = figures.totals
  return [
    ...beginning(document, isCompared, locale),
    ...unfinished(document, isCompared, locale),
    ...(lostPageViews > 0 ? [locale.plural(notes.lost, lostPageViews)] : []),
    ...(waiting > 0 ? [locale.plural(notes.waiting, waiting)] : []),
  ]
}

function unfinished({ figures, periods }: ReportDocument, isCompared: boolean, locale: Locale): string[] {
  const { notes } = locale.texts.report
  if (periods.isOver || figures.known === null) return []
  const upTo = filled(notes.unfinished, { date: locale.day(periods.shown.untilDay - 1, 'dayOfMonth') })
  return [isCompared ? `${upTo} ${filled(notes.comparedWith, { when: beforeInWords(periods, locale) })}` : upTo]
}

function beginning({ figures, periods }: ReportDocument, isCompared: boolean, locale: Locale): string[] {
  const { notes } = locale.texts.report
  if (figures.known === null) return [notes.nothingYet]
  const first = dayOfDate(figures.known.first)
  const date = locale.day(first, 'date')
  if (first >= periods.shown.untilDay) return [filled(notes.beganLater, { date })]
  if (first > periods.shown.fromDay) return [filled(notes.began, { date })]
  return isCompared ? [] : [filled(notes.noEarlier, { date })]
}

/** What was kept out, in a sentence each: submissions in quarantine, then refusals. */
export const keptOutTexts = ({
  refusals,
  quarantined,
  locale,
}: {
  refusals: readonly { times: string; advice: string }[]
  quarantined: number
  locale: Locale
}): string[] => [
  ...(quarantined === 0 ? [] : [`${inQuarantine(quarantined, locale)} ${locale.texts.report.keptOut.quarantine}`]),
  ...refusals.map(({ times, advice }) => `${times} ${advice}`),
]

export const inQuarantine = (quarantined: number, locale: Locale): string =>
  locale.plural(locale.texts.report.keptOut.inQuarantine, quarantined)
