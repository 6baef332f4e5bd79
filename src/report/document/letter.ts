import { mailDocument, mailStyles as style } from '../../delivery/mail/mail-document.ts'
import type { ReportLetter } from '../../delivery/report-letter.ts'
import type { Locale } from '../../language/locale.ts'
import { filled } from '../../language/wording.ts'
import { html, type Markup } from '../../lib/html.ts'
import { colourOfBothGrounds, usualColour } from '../../lib/readable-colour.ts'
import { chartPicture, scaleTop } from './charts.ts'
import { arrows, type KeyFigure } from './key-figures.ts'
import { moreText, type NamesList, reportLists } from './lists.ts'
import { joined } from './period.ts'
import type { ReportView } from './report-view.ts'
import { type SeriesChart, seriesCharts } from './series.ts'
import { keptOutTexts, leadsText } from './words.ts'

/** The report as a mail: figures, small pictures, and the same in plain text. */
export function reportLetter(view: ReportView): ReportLetter {
  const charts = seriesCharts(view).map((chart, index) => ({
    ...chart,
    cid: `chart-${index + 1}`,
  }))
  return {
    accountName: view.account,
    subject: subjectOf(view),
    text: letterText(view),
    html: letterHtml(view, charts),
    pictures: charts.map(({ cid, chart }) => ({
      cid,
      content: chartPicture(chart, view.colour ?? usualColour).toBase64(),
    })),
  }
}

function subjectOf({ account, title, leads, isExample, locale }: ReportView): string {
  const { subject, exampleMark } = locale.texts.report
  const text = filled(subject, { account, title, leads: leadsText(leads, locale) })
  return isExample ? `${exampleMark} ${text}` : text
}

/** The most names of a list in a mail; the page (`capture report --html`) shows more. */
const letterRowsMax = 8

/** A list of a letter, the same in HTML and in plain text. */
type LetterList = Pick<NamesList, 'title' | 'headings' | 'rows' | 'remarks'>

/** The lists of a letter, without empty ones. */
const letterLists = (view: ReportView): LetterList[] => reportLists(view).map((list) => letterList(list, view.locale))

function letterList({ title, headings, rows, more, remarks }: NamesList, locale: Locale): LetterList {
  const names = Math.max(0, rows.length - letterRowsMax) + more.names
  return {
    title,
    headings: ends(headings),
    rows: rows.slice(0, letterRowsMax).map((row) => ({ ...row, figures: ends(row.figures) })),
    remarks: [...moreText({ ...more, names }, locale), ...remarks],
  }
}

/** The first and the last: beside the names, a phone has space for two figures. */
const ends = <Value>(values: Value[]): Value[] =>
  values.length > 2 ? [...values.slice(0, 1), ...values.slice(-1)] : values

/** Width of the column of names; longer names push their figures to the right. */
const nameColumns = 32

/** The plain text of a report's mail. */
function letterText(view: ReportView): string {
  const { account, title, dates, summary, notes, isExample, locale } = view
  const texts = locale.texts.report
  const parts = [
    `${account}\n${title}\n${dates}`,
    ...(isExample ? [texts.example] : []),
    summary,
    keyFiguresText(view),
    ...letterLists(view).map((list) => listText(list, locale)),
    ...keptOutText(view),
    ...notes,
    `${'-'.repeat(40)}\n${closingWords(view)}`,
  ]
  return `${parts.join('\n\n')}\n`
}

const closingWords = ({ madeOn, locale }: ReportView): string =>
  `${filled(locale.texts.report.madeOn, { date: madeOn })} ${locale.texts.report.wordsInShort}`

function keyFiguresText({ keyFigures, beforeInWords }: ReportView): string {
  const labelColumns = Math.max(...keyFigures.map(({ label }) => label.length)) + 3
  return keyFigures.map((figure) => keyFigureLine(figure, { labelColumns, when: beforeInWords })).join('\n')
}

function keyFigureLine(
  { label, value, comparison, note }: KeyFigure,
  { labelColumns, when }: { labelColumns: number; when: string },
): string {
  const begin = `${`${label}:`.padEnd(labelColumns)}${value}`
  const compared = comparison === null ? begin : `${begin}, ${comparison.words} (${comparison.beforeText} ${when})`
  return note === null ? compared : `${compared}${comparison === null ? '' : '.'} ${note}`
}

function listText({ title, headings: marked, rows, remarks }: LetterList, locale: Locale): string {
  const count = (figure: number): string => locale.count(figure)
  const headings = marked.map(plain)
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map(({ figures }) => count(figures[column] ?? 0).length)),
  )
  const line = (name: string, cells: string[]): string =>
    [name.padEnd(nameColumns), ...cells.map((cell, column) => cell.padStart(widths[column] ?? 0))].join('  ').trimEnd()
  return [
    line(title, headings),
    ...rows.map(({ name, figures }) => line(`  ${name}`, figures.map(count))),
    ...remarks.map((remark) => `  ${remark}`),
  ].join('\n')
}

/** Without the characters that prevent line breaks in HTML. */
const plain = (heading: string): string => heading.replaceAll('\u00a0', ' ').replaceAll('\u2060', '')

function keptOutText(view: ReportView): string[] {
  const lines = keptOutTexts(view)
  return lines.length === 0
    ? []
    : [[view.locale.texts.report.keptOut.title, ...lines.map((line) => `- ${line}`)].join('\n')]
}

/** A chart of a letter: the attached picture, and the text around it. */
interface PicturedChart extends SeriesChart {
  cid: string
}

const number = 'font-size:26px;line-height:32px;font-weight:600;'
const tight = 'margin:0;'

/** The HTML of a report's mail, in the look of all mails of the box. */
function letterHtml(view: ReportView, charts: readonly PicturedChart[]): string {
  const accent = colourOfBothGrounds(view.colour ?? usualColour)
  return mailDocument({
    language: view.locale.language,
    title: view.title,
    preview: view.summary,
    kicker: view.account,
    colour: view.colour,
    cards: [
      opening(view, accent),
      ...(charts.length === 0 ? [] : [html`${charts.map((chart) => picture(chart, view.locale))}${greyLine(view)}`]),
      ...letterLists(view).map((list) => listCard(list, { accent, locale: view.locale })),
      ...keptOut(view),
    ],
    footer: html`${[...view.notes, `${view.dates}. ${closingWords(view)}`].map((text) => html`<p class="muted" style="${style.small}">${text}</p>`)}`,
  })
}

/** The summary, and the key figures in pairs, which fit on a phone. */
function opening(view: ReportView, accent: string): Markup {
  const { summary, keyFigures, isExample, locale } = view
  const rows = [0, 2, 4].map((from) => keyFigures.slice(from, from + 2))
  const example = isExample
    ? html`<p class="ink warning" style="${style.warning}">${locale.texts.report.example}</p>`
    : null
  return html`${colourLine(accent)}${example}<p class="ink" style="${style.value}">${summary}</p><table width="100%" cellpadding="0" cellspacing="0" border="0" role="presentation">${rows.map(
    (figures) => html`<tr>${figures.map((figure) => keyFigure(figure, joined(view.beforeInWords)))}</tr>`,
  )}</table>`
}

const colourLine = (accent: string): Markup =>
  html`<table role="presentation" width="48" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px;"><tr><td height="4" bgcolor="${accent}" style="font-size:0;line-height:4px;background-color:${accent};border-radius:2px;">&nbsp;</td></tr></table>`

function keyFigure({ label, value, comparison, note }: KeyFigure, when: string): Markup {
  const compared =
    comparison === null
      ? null
      : html`${arrows[comparison.direction]}${comparison.words} (${comparison.beforeText} ${when})`
  const change = html`${compared}${compared && note ? html`<br>` : null}${note}`
  return html`<td width="50%" valign="top" style="padding:10px 12px 10px 0;"><p class="muted" style="${style.label}">${label}</p><p class="ink" style="${style.label}${number}${inkOf}">${value}</p><p class="muted" style="${style.label}">${change}</p></td>`
}

/** The label's style without its colour, so that the figure stands out in programs that drop style sheets. */
const inkOf = 'color:#1c1c1b;'

/** The picture contains no text: real text can be read aloud, scales with the reader's font and follows light and dark. */
function picture({ title, cid, chart }: PicturedChart, locale: Locale): Markup {
  const { bars, before, summary } = chart
  const top = scaleTop(Math.max(1, ...bars.map(({ value }) => value), ...(before ?? [])))
  const ends = [bars[0], bars[Math.floor(bars.length / 2)], bars.at(-1)].map((bar) => bar?.label ?? '')
  const upTo = filled(locale.texts.report.series.upTo, { count: locale.count(top) })
  const cell = (text: string, align: string): Markup =>
    html`<td class="muted" align="${align}" width="33%" style="${style.factLabel}padding:4px 0 0;">${text}</td>`
  return html`<h2 class="ink" style="${style.cardTitle}margin-bottom:4px;">${title}</h2><p class="muted" style="${style.label}">${upTo}</p><img src="cid:${cid}" width="552" height="120" alt="${summary}" style="display:block;width:100%;max-width:552px;height:auto;border:0;"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px;"><tr>${cell(ends[0] ?? '', 'left')}${cell(ends[1] ?? '', 'center')}${cell(ends[2] ?? '', 'right')}</tr></table>`
}

const greyLine = ({ seriesBefore, beforeInWords: when, locale }: ReportView): Markup | null =>
  seriesBefore === null
    ? null
    : html`<p class="muted" style="${style.label}">${filled(locale.texts.report.series.grey, { when })}</p>`

function listCard(
  { title, headings, rows, remarks }: LetterList,
  { accent, locale }: { accent: string; locale: Locale },
): Markup {
  const heading = (text: string): Markup =>
    html`<th class="muted" scope="col" align="right" valign="bottom" width="76" style="${style.factLabel}padding:0 0 0 14px;font-weight:400;text-align:right;">${text}</th>`
  const figure = (value: number): Markup =>
    html`<td class="ink" align="right" valign="top" style="${style.value}${tight}padding:8px 0 0 14px;white-space:nowrap;">${locale.count(value)}</td>`
  return html`<table width="100%" cellpadding="0" cellspacing="0" border="0"><tr><th class="ink" scope="col" align="left" valign="bottom" style="${style.cardTitle}${tight}text-align:left;">${title}</th>${headings.map(heading)}</tr>${rows.map(
    ({ name, figures, share }) =>
      html`<tr><th class="ink" scope="row" align="left" dir="auto" style="${style.value}${tight}padding:8px 0 0;font-weight:400;text-align:left;">${name}${shareLine(share, accent)}</th>${figures.map(figure)}</tr>`,
  )}</table>${remarks.map((remark) => html`<p class="muted" style="${style.label}padding-top:10px;">${remark}</p>`)}`
}

/** Word and Gmail draw no SVG, but cells. */
function shareLine(share: number, accent: string): Markup {
  const percent = Math.max(1, Math.round(share * 100))
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td width="${percent}%" height="4" bgcolor="${accent}" style="font-size:0;line-height:4px;background-color:${accent};">&nbsp;</td><td style="font-size:0;line-height:4px;">&nbsp;</td></tr></table>`
}

function keptOut(view: ReportView): Markup[] {
  const texts = keptOutTexts(view)
  if (texts.length === 0) return []
  return [
    html`<h2 class="ink" style="${style.cardTitle}">${view.locale.texts.report.keptOut.title}</h2>${texts.map((text) => html`<p class="ink" style="${style.value}margin-bottom:10px;font-size:15px;line-height:22px;">${text}</p>`)}`,
  ]
}
