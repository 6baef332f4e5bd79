import { html, type Markup } from '../../../lib/html.ts'
import { count, plural } from '../../../lib/quantities.ts'
import { arrows, type KeyFigure } from '../key-figures.ts'
import { quarantineText } from '../notes.ts'
import type { RankedList } from '../ranked-list.ts'
import { listTitles } from '../report-lists.ts'
import type { ReportView } from '../report-view.ts'
import { chartsSection, daysTable } from './days.ts'
import { noExtras, type ReportExtras } from './extras.ts'
import { goalsSections } from './goals.ts'
import { messagesSection, rankedSection } from './lists.ts'

/** What the figures of a report mean, for occasional readers. */
export const wordsOfReport =
  'A visit is everything that one browser does until it pauses for half an hour; a visitor is a browser that keeps its cookie. A lead is a form that was sent and accepted, without repeats. Conversion is the number of leads per hundred visits. Bots that identify themselves do not count.'

/** The figures, charts and tables of a report, to be used with `reportPartsStyle`. */
export function reportBody(view: ReportView, extras: ReportExtras = noExtras): Markup {
  return html`<div class="report">
${keyFiguresList(view)}
${chartsSection(view, extras)}
${goalsSections(view, extras)}
<div class="pair">${sources(view, extras)}${pages(view, extras)}</div>
${remaining(view, extras)}
${daysTable(view, extras)}
</div>`
}

const sources = ({ sources, headings }: ReportView, extras: ReportExtras): Markup =>
  rankedSection(
    sources,
    { title: listTitles.sources, name: 'Source', counted: 'Leads', empty: 'No leads.', one: 'source' },
    { headings, after: filesOf('sources', sources, extras) },
  )

/** Nothing is drawn of an empty list. */
const filesOf = (
  name: 'sources' | 'campaigns' | 'pages' | 'forms',
  { rows }: RankedList,
  extras: ReportExtras,
): Markup | null => extras.files({ title: listTitles[name], table: name, drawn: rows.length === 0 ? null : name })

/** Two beside each other, as many as there are. */
function remaining(view: ReportView, extras: ReportExtras): Markup[] {
  const sections = [
    campaigns(view, extras),
    forms(view, extras),
    messagesSection(view, extras),
    refused(view, extras),
  ].filter((section) => section !== null)
  return sections.flatMap((section, place) =>
    place % 2 === 0 ? [html`<div class="pair">${section}${sections[place + 1] ?? null}</div>\n`] : [],
  )
}

const campaigns = ({ campaigns, headings }: ReportView, extras: ReportExtras): Markup | null =>
  campaigns.rows.length === 0
    ? null
    : rankedSection(
        campaigns,
        { title: listTitles.campaigns, name: 'Campaign', counted: 'Leads', empty: '', one: 'campaign' },
        { headings, after: filesOf('campaigns', campaigns, extras) },
      )

function pages({ pages, headings, viewsElsewhere }: ReportView, extras: ReportExtras): Markup {
  const elsewhere =
    viewsElsewhere === 0
      ? null
      : html`<p class="quiet">${plural(viewsElsewhere, 'other page view')}: on other websites with the script, or before views were counted by page.</p>`
  const words = {
    title: listTitles.pages,
    name: 'Page',
    counted: 'Views',
    empty: 'No landing page was viewed.',
    one: 'page',
  }
  return rankedSection(pages, words, { headings, after: html`${elsewhere}${filesOf('pages', pages, extras)}` })
}

function forms({ forms, headings, likelyDuplicates }: ReportView, extras: ReportExtras): Markup {
  const repeats =
    likelyDuplicates === 0
      ? null
      : html`<p class="quiet">${plural(likelyDuplicates, 'repeat')} of a lead ${likelyDuplicates === 1 ? 'is' : 'are'} not counted here.</p>`
  const words = { title: listTitles.forms, name: 'Form', counted: 'Leads', empty: 'No form was sent.', one: 'form' }
  return rankedSection(forms, words, { headings, after: html`${repeats}${filesOf('forms', forms, extras)}` })
}

/** What was refused or lost, and what to do about it. */
function refused({ refusals, quarantined }: ReportView, extras: ReportExtras): Markup {
  const waiting = quarantineText(quarantined)
  if (refusals.length === 0 && waiting === null) {
    return html`<section><h2>What was kept out</h2><p class="quiet">Nothing worth mentioning.</p></section>`
  }
  return html`<section><h2>What was kept out</h2><ul class="plain">
${waiting === null ? null : html`<li><b>In quarantine.</b> ${waiting}</li>`}
${refusals.map(({ count: refused, what, advice }) => html`<li><b>${what}: ${count(refused)} times.</b> ${advice}</li>\n`)}</ul>${extras.files({ title: 'What was kept out', table: 'refusals', drawn: null })}</section>`
}

/** The figures at the top of a report, each with that of the previous period. */
const keyFiguresList = ({ keyFigures, beforeInWords }: ReportView): Markup =>
  html`<dl class="figures">${keyFigures.map((figure) => keyFigureItem(figure, beforeInWords))}</dl>`

function keyFigureItem({ label, value, comparison, missing }: KeyFigure, when: string): Markup {
  const change =
    comparison === null
      ? html`${missing}`
      : html`<b>${arrows[comparison.direction]}${comparison.words}</b><br>${comparison.beforeText} ${when}`
  return html`<div><dt>${label}</dt><dd class="value">${value}</dd><dd class="change">${change}</dd></div>\n`
}
