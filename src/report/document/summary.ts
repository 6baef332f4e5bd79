import { count, plural } from '../../lib/quantities.ts'
import type { FiguresReport } from '../figures.ts'
import { compared } from './comparison.ts'
import { beforeInWords } from './dates-text.ts'
import { shownName } from './ranked-list.ts'
import type { ReportDocument } from './report-document.ts'

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
