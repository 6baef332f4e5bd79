import { html, type Markup } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { light } from '../page/style.ts'
import type { BarChart } from './bar-chart.ts'
import { type BarShape, barShapes, rounded } from './bars.ts'
import { type PictureWords, pictureAccent, pictureFile } from './picture-file.ts'
import { scaleTop } from './scale.ts'
import type { SeriesChart } from './series-charts.ts'

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
${[top, top / 2, 0].map((value) => gridLine(value, top))}
<g fill="${light.pale}">${barShapes((before ?? []).slice(0, bars.length), { ...space, width: slot * 0.9 }).map(rect)}</g>
<g fill="${pictureAccent(words)}">${barShapes(values, { ...space, width: slot * 0.6 }).map(rect)}</g>
${ticks(bars, slot)}
</g>`
  const note = before === null ? null : ` (pale: ${words.beforeInWords})`
  return pictureFile({ title, note, summary, height: pictureHeight, body }, words)
}

function gridLine(value: number, top: number): Markup {
  const y = drawing.height * (1 - value / top)
  return html`<path d="M0 ${y}H${drawing.width}" stroke="${light.line}"/><text x="-10" y="${y + 5}" font-size="14" text-anchor="end" fill="${light.muted}">${count(value)}</text>\n`
}

const rect = ({ x, y, width, height }: BarShape): Markup =>
  html`<rect x="${x}" y="${y}" width="${rounded(width)}" height="${height}"/>`

const ticks = (bars: BarChart['bars'], slot: number): Markup[] =>
  bars.flatMap(({ tick }, index) =>
    tick === null
      ? []
      : [
          html`<text x="${rounded(index * slot + slot * 0.2)}" y="${drawing.height + 26}" font-size="14" fill="${light.muted}">${tick}</text>\n`,
        ],
  )
