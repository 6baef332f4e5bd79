import type { Locale } from '../../language/locale.ts'
import { filled } from '../../language/wording.ts'
import { html, type Markup } from '../../lib/html.ts'
import { readableColour, usualColour } from '../../lib/readable-colour.ts'
import { type BarChart, type BarShape, barShapes, linePath, rounded, scaleTop } from './charts.ts'
import { moreText, type NamesList } from './lists.ts'
import { light } from './page-style.ts'
import type { ReportView } from './report-view.ts'
import type { SeriesChart } from './series.ts'

/** Width of a picture, and of the space at its sides. */
const pictureWidth = 1120
const pictureMargin = 28

const pictureHeight = 480
/** The place of the bars in the picture. */
const drawing = { x: 70, y: 96, width: 1010, height: 300 }

/** A chart over time as a separate SVG file, with its scale. */
export function chartFile({ title, chart }: SeriesChart, words: PictureWords): string {
  const { bars, before, summary } = chart
  const values = bars.map(({ value }) => value)
  const top = scaleTop(Math.max(1, ...values, ...(before ?? [])))
  const slot = drawing.width / Math.max(1, bars.length)
  const space = { top, slot, height: drawing.height }
  const body = html`<g transform="translate(${drawing.x} ${drawing.y})">
${[top, top / 2, 0].map((value) => gridLine(value, top, words.locale))}
<g fill="${pictureAccent(words)}">${barShapes(values, { ...space, width: slot * 0.6 }).map((shape) => rect(shape, bars[shape.index]?.isPart))}</g>
${before === null ? null : html`<path d="${linePath(before.slice(0, bars.length), space)}" fill="none" stroke="${light.muted}" stroke-width="2" stroke-dasharray="6 4"/>`}
${ticks(bars, slot)}
</g>`
  const { line } = words.locale.texts.report.series
  const note = before === null ? null : ` ${filled(line, { when: words.beforeInWords })}`
  return pictureFile({ title, note, summary, height: pictureHeight, body }, words)
}

function gridLine(value: number, top: number, locale: Locale): Markup {
  const y = drawing.height * (1 - value / top)
  return html`<path d="M0 ${y}H${drawing.width}" stroke="${light.line}"/><text x="-10" y="${y + 5}" font-size="14" text-anchor="end" fill="${light.muted}">${locale.count(value)}</text>\n`
}

const rect = ({ x, y, width, height }: BarShape, isPart = false): Markup =>
  html`<rect x="${x}" y="${y}" width="${rounded(width)}" height="${height}"${isPart ? html` fill-opacity=".45"` : null}/>`

const ticks = (bars: BarChart['bars'], slot: number): Markup[] =>
  bars.flatMap(({ tick }, index) =>
    tick === null
      ? []
      : [
          html`<text x="${rounded(index * slot + slot * 0.2)}" y="${drawing.height + 26}" font-size="14" fill="${light.muted}">${tick}</text>\n`,
        ],
  )

/** The first line of the table, and the heights of its parts. */
const headingsBaseline = 108
const rowsTop = 124
const rowHeight = 46
const remarkHeight = 26

/** Width of a column of figures, and of the space between names and figures. */
const figureWidth = 120
const gap = 24
const rightEdge = pictureWidth - pictureMargin

/** A list of a report as a separate SVG file: names with their figures and bars, as on the page. */
export function listFile(list: NamesList, words: PictureWords): string {
  const { title, headings, rows } = list
  const remarks = [...moreText(list.more, words.locale), ...list.remarks]
  const remarksTop = rowsTop + rows.length * rowHeight
  const namesWidth = rightEdge - headings.length * figureWidth - gap - pictureMargin
  const body = html`<g font-size="14" fill="${light.muted}">${figureTexts(headings, headingsBaseline)}</g>
${rows.map((row, place) => listRow(row, { top: rowsTop + place * rowHeight, width: namesWidth, words }))}
<g font-size="14" fill="${light.muted}">${remarks.map((remark, place) =>
    clipped(remark, {
      top: remarksTop + place * remarkHeight,
      width: rightEdge - pictureMargin,
      height: remarkHeight,
      baseline: 18,
    }),
  )}</g>`
  const height = remarksTop + remarks.length * remarkHeight + pictureMargin - 8
  return pictureFile({ title, note: null, summary: summaryOf(list, words.locale), height, body }, words)
}

const summaryOf = ({ headings, rows }: NamesList, locale: Locale): string =>
  rows
    .map(
      ({ name, figures }) =>
        `${name}: ${figures.map((figure, column) => `${headings[column]} ${locale.count(figure)}`).join(', ')}.`,
    )
    .join(' ')

function listRow(
  { name, figures, share }: NamesList['rows'][number],
  { top, width, words }: { top: number; width: number; words: PictureWords },
): Markup {
  return html`<g font-size="16">${clipped(name, { top, width, height: 24, baseline: 18 })}${figureTexts(
    figures.map((figure) => words.locale.count(figure)),
    top + 18,
  )}
<rect x="${pictureMargin}" y="${top + 27}" width="${rounded(share * width)}" height="8" fill="${pictureAccent(words)}"/></g>\n`
}

/** Each figure ends at the right edge of its column. */
const figureTexts = (texts: readonly string[], baseline: number): Markup[] =>
  texts.map(
    (text, column) =>
      html`<text x="${rightEdge - (texts.length - 1 - column) * figureWidth}" y="${baseline}" text-anchor="end">${text}</text>`,
  )

/** A text that ends at its width: an SVG inside an SVG shows nothing outside of it, and SVG neither breaks nor shortens lines. */
const clipped = (
  text: string,
  { top, width, height, baseline }: { top: number; width: number; height: number; baseline: number },
): Markup =>
  html`<svg x="${pictureMargin}" y="${top}" width="${width}" height="${height}"><text y="${baseline}">${text}</text></svg>\n`

/** Whose figures of which time a picture shows, in which colour. */
type PictureWords = Pick<ReportView, 'account' | 'title' | 'beforeInWords' | 'colour' | 'locale'>

interface Picture {
  title: string
  /** Behind the account's name and the period. */
  note: string | null
  /** The figures in words, for screen readers. */
  summary: string
  height: number
  /** What is drawn below the titles. */
  body: Markup
}

/** A separate SVG file for slides and documents, with its titles, on white, without style sheet. */
function pictureFile({ title, note, summary, height, body }: Picture, words: PictureWords): string {
  const { text } = html`<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" lang="${words.locale.language}" role="img" aria-labelledby="title desc" viewBox="0 0 ${pictureWidth} ${height}" width="${pictureWidth}" height="${height}" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif" fill="${light.text}">
<title id="title">${words.account}: ${title}, ${words.title}</title>
<desc id="desc">${summary}</desc>
<rect width="${pictureWidth}" height="${height}" fill="${light.paper}"/>
<text x="${pictureMargin}" y="44" font-size="24" font-weight="600">${title}</text>
<text x="${pictureMargin}" y="70" font-size="16" fill="${light.muted}">${words.account}, ${words.title}${note}</text>
${body}
</svg>
`
  return text.replace(noXmlCharacter, '\uFFFD')
}

/** Characters that XML 1.0 (section 2.2) forbids even when escaped: one of them in a name, and no program opens the file. */
const noXmlCharacter = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** The account's colour, as the page shows it in light. */
const pictureAccent = ({ colour }: Pick<PictureWords, 'colour'>): string =>
  readableColour(colour ?? usualColour, light.paper)
