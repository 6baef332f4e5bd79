import type { Locale } from '../../language/locale.ts'
import { filled } from '../../language/wording.ts'
import { html, type Markup, trustedMarkup } from '../../lib/html.ts'
import type { ChannelList } from './channel-lists.ts'
import { barChart, shareBar } from './charts.ts'
import { arrows, type KeyFigure, percentText } from './key-figures.ts'
import { moreText, type NamesList } from './lists.ts'
import { reportStyle } from './page-style.ts'
import { joined } from './period.ts'
import type { ReportView } from './report-view.ts'
import { type Series, type SeriesPoint, seriesCharts } from './series.ts'
import { inQuarantine } from './words.ts'

/** The page may load and run nothing except its own style sheet. */
export const reportPagePolicy = ({ colour }: Pick<ReportView, 'colour'>): string =>
  `default-src 'none'; style-src '${hashSource(reportStyle(colour))}'; base-uri 'none'; form-action 'none'`

/** The report as one file. It loads nothing and runs nothing, and its policy blocks injected content. */
export function reportPage(view: ReportView): string {
  const style = reportStyle(view.colour)
  const texts = view.locale.texts.report
  return html`<!doctype html>
<html lang="${view.locale.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trustedMarkup(reportPagePolicy(view))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${view.account}: ${view.title}</title>
<style>${trustedMarkup(style)}</style>
</head>
<body>
<main>
<header>
<h1><bdi>${view.account}</bdi></h1>
<p class="dates"><b>${view.title}</b> ${view.dates}</p>
${view.isExample ? html`<p class="example">${texts.example}</p>` : null}
</header>
${reportBody(view)}
<footer><p>${filled(texts.madeOn, { date: view.madeOn })}</p></footer>
</main>
</body>
</html>
`.text
}

const hashSource = (text: string): string => `sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}`

/** Where whoever is signed in reads more. `untold`: what a colleague does about leads of which no source is known; absent: the reader is none. */
interface ReportLinks {
  untold?: Markup | undefined
  leads?: string
  quarantine?: string | undefined
}

/** The words, figures, charts and tables of a report, to be used with `reportPartsStyle`. */
export function reportBody(view: ReportView, links: ReportLinks = {}): Markup {
  const { notes, goalNotes, lists, locale } = view
  const uncounted = heldBack(view, links)
  const named = lists.map((list) => listSection(list, locale, list.drawn === 'forms' ? uncounted : null))
  return html`<div class="report" lang="${locale.language}">
${notesText(notes)}
${view.isCounted ? keyFiguresList(view, links) : html`<p class="summary">${view.summary}</p>${uncounted && html`<p class="quiet">${uncounted}</p>`}`}
${channelsSection(view, links)}
${chartsSection(view)}
${splitsSection(view, links)}
${pairs([goalsSection(view), funnelsSection(view), ...(view.isCounted ? named : []), refused(view), missingSection(view)])}
${daysTable(view)}
${notesText([...goalNotes, locale.texts.report.words])}
</div>`
}

/** What limits the figures stands beside their period; what the words for them mean, below them. */
const notesText = (notes: readonly string[]): Markup | null =>
  notes.length === 0 ? null : html`<p class="figure-notes">${notes.join(' ')}</p>`

/** Channel → leads → visits → conversion; `null`: nothing came. */
function channelsSection({ channels, isUntold, locale }: ReportView, { untold }: ReportLinks): Markup | null {
  // Where no lead has a known visit, only what divides the visits at least says something.
  const divided = isUntold ? channels.filter(({ rows }) => rows.filter(hasVisits).length > 1) : channels
  const { title, untold: noSource } = locale.texts.report.channels
  const advice = isUntold ? html`<p class="quiet">${untold ?? noSource}</p>` : null
  if (divided.length === 0 && advice === null) return null
  const parts = divided.map((channel) => channelPart(channel, locale))
  return html`<section><h2>${title}</h2>${advice}<div class="channels">${parts}</div></section>`
}

const hasVisits = ({ visits }: ChannelList['rows'][number]): boolean => visits > 0

function channelPart({ isOpen, heading, by, rows, more }: ChannelList, locale: Locale): Markup {
  const { figures } = locale.texts.report
  const shown = rows.map(
    ({ name, visits, leads, conversion, share }) =>
      html`<tr${share === null ? html` class="rest"` : null}><th scope="row"><bdi>${name}</bdi>${share === null ? null : shareBar(share)}</th><td>${locale.count(leads)}</td><td>${locale.count(visits)}</td><td>${percentText(conversion, locale)}</td></tr>\n`,
  )
  const rest = moreRow({ ...more, figures: [more.leads, more.visits, null] }, locale)
  const table = namesTable([heading, figures.leads, figures.visits, figures.conversion], shown, rest)
  return html`<details class="fold"${isOpen ? html` open` : null}><summary><h3>${by}</h3></summary>${table}</details>\n`
}

/** Two beside each other, as many as there are. */
function pairs(parts: readonly (Markup | null)[]): Markup[] {
  const sections = parts.filter((part) => part !== null)
  return sections.flatMap((section, place) =>
    place % 2 === 0 ? [html`<div class="pair">${section}${sections[place + 1] ?? null}</div>\n`] : [],
  )
}

/** Names with their figures and bars, most first. @param uncounted what is in none of them */
function listSection(
  { title, heading, headings, rows, empty, remarks, hint, more }: NamesList,
  locale: Locale,
  uncounted: Markup | null,
): Markup | null {
  if (rows.length === 0 && empty === null) return null
  const notes = [...remarks, hint ?? null, uncounted].map((note) => note && html`<p class="quiet">${note}</p>`)
  if (rows.length === 0) return html`<section><h2>${title}</h2><p class="quiet">${empty}</p>${notes}</section>`
  return html`<section><h2>${title}</h2>${namesTable(
    [heading, ...headings],
    rows.map(
      ({ name, share, figures }) =>
        html`<tr><th scope="row"><bdi>${name}</bdi>${shareBar(share)}</th>${figures.map((figure) => html`<td>${locale.count(figure)}</td>`)}</tr>\n`,
    ),
    moreRow(more, locale),
  )}${notes}</section>`
}

const namesTable = (headings: readonly string[], rows: readonly Markup[], foot: Markup | null = null): Markup =>
  html`<table class="names">
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${rows}</tbody>${foot}</table>`

function moreRow(more: NamesList['more'], locale: Locale): Markup | null {
  const [text] = moreText(more, locale)
  if (text === undefined) return null
  const cells = more.figures.map((figure) => html`<td>${figure === null ? null : locale.count(figure)}</td>`)
  return html`<tfoot><tr><th scope="row">${text}</th>${cells}</tr></tfoot>`
}

/** `null`: nothing was asked for often in vain. */
function missingSection({ missing, locale }: ReportView): Markup | null {
  if (missing.length === 0) return null
  const rows = missing.map(
    ({ path, count: asked }) => html`<tr><th scope="row"><bdi>${path}</bdi></th><td>${locale.count(asked)}</td></tr>\n`,
  )
  const { title, address, times, advice } = locale.texts.report.missing
  return html`<section><h2>${title}</h2>${namesTable([address, times], rows)}<p class="quiet">${advice}</p></section>`
}

/** The messages in quarantine, which no list of leads has. */
function heldBack({ quarantined, locale }: ReportView, links: ReportLinks): Markup | null {
  if (quarantined === 0) return null
  const { look, quarantine } = locale.texts.report.keptOut
  const more = links.quarantine ? html`<a href="${links.quarantine}">${look}</a>` : quarantine
  return html`${inQuarantine(quarantined, locale)} ${more}`
}

/** What was refused or lost, and what to do about it; `null`: nothing worth mentioning. */
function refused({ refusals, locale }: ReportView): Markup | null {
  if (refusals.length === 0) return null
  return html`<section><h2>${locale.texts.report.keptOut.title}</h2><ul class="plain">
${refusals.map(({ times, advice }) => html`<li><b>${times}</b> ${advice}</li>\n`)}</ul></section>`
}

/** `123,456`; longer figures are set smaller, so that none is broken. */
const usualCharacters = 7

/** The figures at the top of a report, each with that of the previous period. */
function keyFiguresList({ keyFigures, beforeInWords, locale }: ReportView, { leads }: ReportLinks): Markup {
  const when = joined(beforeInWords)
  const items = keyFigures.map((figure) =>
    keyFigureItem(figure, { when, href: figure.label === locale.texts.report.figures.leads ? leads : undefined }),
  )
  const isLong = keyFigures.some(({ value }) => value.length > usualCharacters)
  return html`<dl class="figures${isLong ? ' long' : ''}">${items}</dl>`
}

function keyFigureItem(
  { label, value, comparison, note }: KeyFigure,
  { when, href }: { when: string; href: string | undefined },
): Markup {
  const compared =
    comparison === null
      ? null
      : html`<b>${arrows[comparison.direction]}${comparison.words}</b><br>${comparison.beforeText} ${when}`
  const change = compared === null ? note : html`${compared}${note && html`<br>${note}`}`
  const shown = href === undefined ? value : html`<a href="${href}">${value}</a>`
  return html`<div><dt>${label}</dt><dd class="value">${shown}</dd>${change && html`<dd class="change">${change}</dd>`}</div>\n`
}

/** The charts of a report. `daysTable` has their figures. */
function chartsSection(view: ReportView): Markup | null {
  const { series, seriesBefore, beforeInWords, locale } = view
  const texts = locale.texts.report.series
  const charts = seriesCharts(view)
  if (charts.length === 0) return null
  const key =
    seriesBefore === null
      ? null
      : html`<p class="key"><svg aria-hidden="true" viewBox="0 0 16 4" preserveAspectRatio="none"><path class="before" d="M0 2H16"/></svg>${beforeInWords}</p>`
  const parts = series.points.some(({ isPart, visits, leads }) => isPart && visits + leads > 0)
    ? html`<p class="key">${texts.paleParts}</p>`
    : null
  return html`<section><div class="charts">${charts.map(
    ({ title, chart }) => html`<div class="chart-block"><h2>${title}</h2>${barChart(chart, locale)}</div>\n`,
  )}</div>${key}${parts}</section>`
}

const tableTitles = { day: 'tableByDay', week: 'tableByWeek', month: 'tableByMonth' } as const satisfies Record<
  Series['unit'],
  string
>

interface Column {
  header: string
  of: (point: SeriesPoint, before: SeriesPoint | undefined) => number | null
}

/** The figures of the charts, and more. */
function daysTable(view: ReportView): Markup | null {
  const { locale } = view
  const texts = locale.texts.report.series
  const { unit, points } = view.series
  if (points.length < 2) return null
  const columns = columnsOf(view)
  const rows = points.map((point, index) => {
    const cells = columns.map(({ of }) => of(point, view.seriesBefore?.points[index]))
    return html`<tr><th scope="row">${point.label}${point.isPart ? html` <small class="quiet">${texts.part}</small>` : null}</th>${cells.map((cell) => html`<td>${cell === null ? '–' : locale.count(cell)}</td>`)}</tr>\n`
  })
  return html`<section class="daily"><details class="fold"><summary><h2 id="in-figures">${texts[tableTitles[unit]]}</h2></summary><div class="wide" role="region" aria-labelledby="in-figures" tabindex="0"><table class="days">
<thead><tr><th scope="col">${texts[unit]}</th>${columns.map(({ header }) => html`<th scope="col">${header}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div></details></section>`
}

function columnsOf({ series, seriesBefore, beforeInWords: when, locale }: ReportView): Column[] {
  const { figures, series: texts } = locale.texts.report
  const beside = (figure: string, of: (point: SeriesPoint) => number): Column[] =>
    seriesBefore === null
      ? []
      : [{ header: filled(texts.before, { figure, when }), of: (_, before) => (before ? of(before) : null) }]
  const ofDay: Column = { header: figures.visitors, of: ({ visitors }) => visitors }
  return [
    { header: figures.visits, of: ({ visits }) => visits },
    ...beside(figures.visits, ({ visits }) => visits),
    ...(series.unit === 'day' ? [ofDay] : []),
    { header: figures.views, of: ({ views }) => views },
    { header: figures.leads, of: ({ leads }) => leads },
    ...beside(figures.leads, ({ leads }) => leads),
    ...(series.points.some(({ clicks }) => clicks > 0)
      ? [{ header: figures.clicks, of: ({ clicks }: SeriesPoint) => clicks }]
      : []),
  ]
}

/** `null`: the account has none. */
function goalsSection({ goals, headings, locale }: ReportView): Markup | null {
  if (goals.length === 0) return null
  const { figures, goals: texts } = locale.texts.report
  const hasBefore = headings.before !== null
  const rows = goals.map(({ name, share, visits, before, conversion, times }) => {
    const cells = [
      locale.count(visits),
      ...(hasBefore ? [before === null ? '–' : locale.count(before)] : []),
      conversion,
      locale.count(times),
    ]
    return html`<tr><th scope="row"><bdi>${name}</bdi>${shareBar(share)}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`
  })
  const columns = [texts.heading, figures.visits, ...(hasBefore ? [texts.visitsBefore] : []), texts.ofAll, texts.times]
  return html`<section><h2>${texts.title}</h2>${namesTable(columns, rows)}</section>`
}

function funnelsSection({ funnels, locale }: ReportView): Markup | null {
  if (funnels.length === 0) return null
  const { figures, funnels: texts } = locale.texts.report
  const blocks = funnels.map(({ name, steps, summary }) => {
    const rows = steps.map(
      ({ name: step, visits, ofFirst, share }, position) =>
        html`<tr><th scope="row">${position + 1}. <bdi>${step}</bdi>${shareBar(share)}</th><td>${locale.count(visits)}</td><td>${ofFirst}</td></tr>\n`,
    )
    return html`<div><h3><bdi>${name}</bdi></h3>${namesTable([texts.step, figures.visits, texts.ofFirst], rows)}<p class="quiet">${summary}</p></div>\n`
  })
  return html`<section><h2>${texts.title}</h2><div class="funnels">${blocks}</div></section>`
}

/** The versions of split pages, with what is known of them by now; `null`: nothing is, or no page is split. */
function splitsSection({ splits: all, locale }: ReportView, { untold }: ReportLinks): Markup | null {
  // Whoever started the comparison may see that it runs; others wait for its result.
  const splits = untold ? all : all.filter(({ isTold }) => isTold)
  if (splits.length === 0) return null
  const { figures, splits: texts } = locale.texts.report
  const isAlone = splits.length === 1
  const blocks = splits.map(({ title, versions, isTold, verdict }) => {
    const rows = versions.map(
      ({ name, visits, leads, conversion, interval, share }) =>
        html`<tr><th scope="row"><bdi>${name}</bdi>${shareBar(share)}</th><td>${locale.count(leads)}</td><td>${locale.count(visits)}</td><td>${conversion}${interval && html` <small class="quiet">${interval}</small>`}</td></tr>\n`,
    )
    const table = isTold ? namesTable([texts.version, figures.leads, figures.visits, figures.conversion], rows) : null
    return html`<div>${isAlone ? null : html`<h3>${title}</h3>`}${table}<p>${verdict}</p></div>\n`
  })
  return html`<section><h2>${isAlone ? splits.map(({ title }) => title) : texts.title}</h2><div class="funnels">${blocks}</div></section>`
}
