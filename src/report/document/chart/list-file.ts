import { html, type Markup } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { light } from '../page/style.ts'
import { moreText, type ReportList } from '../report-lists.ts'
import { rounded } from './bars.ts'
import { type PictureWords, pictureAccent, pictureFile, pictureMargin, pictureWidth } from './picture-file.ts'

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
export function listFile(list: ReportList, words: PictureWords): string {
  const { title, headings, rows } = list
  const remarks = [...moreText(list.more), ...list.remarks]
  const remarksTop = rowsTop + rows.length * rowHeight
  const namesWidth = rightEdge - headings.length * figureWidth - gap - pictureMargin
  const body = html`<g font-size="14" fill="${light.muted}">${figureTexts(headings, headingsBaseline)}</g>
${rows.map((row, place) => listRow(row, { top: rowsTop + place * rowHeight, width: namesWidth, accent: pictureAccent(words) }))}
<g font-size="14" fill="${light.muted}">${remarks.map((remark, place) =>
    clipped(remark, {
      top: remarksTop + place * remarkHeight,
      width: rightEdge - pictureMargin,
      height: remarkHeight,
      baseline: 18,
    }),
  )}</g>`
  const height = remarksTop + remarks.length * remarkHeight + pictureMargin - 8
  return pictureFile({ title, note: null, summary: summaryOf(list), height, body }, words)
}

const summaryOf = ({ headings, rows }: ReportList): string =>
  rows
    .map(
      ({ name, figures }) =>
        `${name}: ${figures.map((figure, column) => `${headings[column]} ${count(figure)}`).join(', ')}.`,
    )
    .join(' ')

function listRow(
  { name, figures, share }: ReportList['rows'][number],
  { top, width, accent }: { top: number; width: number; accent: string },
): Markup {
  return html`<g font-size="16">${clipped(name, { top, width, height: 24, baseline: 18 })}${figureTexts(figures.map(count), top + 18)}
<rect x="${pictureMargin}" y="${top + 27}" width="${rounded(share * width)}" height="8" fill="${accent}"/></g>\n`
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
