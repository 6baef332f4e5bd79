import { html, type Markup } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { readableColour } from '../../../lib/readable-colour.ts'
import { usualColour } from '../colours.ts'
import { light } from '../page/style.ts'
import type { BarChart } from './bar-chart.ts'
import { type BarShape, barShapes } from './bars.ts'
import { scaleTop } from './scale.ts'
import type { SeriesChart } from './series-charts.ts'

/** Sizes of the whole picture and of the drawing in it. */
const picture = { width: 1120, height: 480 }
const drawing = { x: 70, y: 96, width: 1010, height: 300 }

interface ChartWords {
  account: string
  /** `October 2026`. */
  period: string
  /** The time of the pale bars: `in September`. */
  beforeInWords: string
  /** `#rrggbb`; `null`: the account has none. */
  colour: string | null
}

/** A chart as a separate SVG file for slides and documents, with title and scale, on white, without style sheet. */
export function chartFile({ title, chart }: SeriesChart, words: ChartWords): string {
  const { bars, before, summary } = chart
  const values = bars.map(({ value }) => value)
  const top = scaleTop(Math.max(1, ...values, ...(before ?? [])))
  const slot = drawing.width / Math.max(1, bars.length)
  const space = { top, slot, height: drawing.height }
  const accent = readableColour(words.colour ?? usualColour, light.paper)
  return html`<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title desc" viewBox="0 0 ${picture.width} ${picture.height}" width="${picture.width}" height="${picture.height}" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif" fill="${light.text}">
<title id="title">${words.account}: ${title}, ${words.period}</title>
<desc id="desc">${summary}</desc>
<rect width="${picture.width}" height="${picture.height}" fill="${light.paper}"/>
<text x="28" y="44" font-size="24" font-weight="600">${title}</text>
<text x="28" y="70" font-size="16" fill="${light.muted}">${words.account}, ${words.period}${before === null ? null : html` (pale: ${words.beforeInWords})`}</text>
<g transform="translate(${drawing.x} ${drawing.y})">
${[top, top / 2, 0].map((value) => gridLine(value, top))}
<g fill="${light.pale}">${barShapes((before ?? []).slice(0, bars.length), { ...space, width: slot * 0.9 }).map(rect)}</g>
<g fill="${accent}">${barShapes(values, { ...space, width: slot * 0.6 }).map(rect)}</g>
${ticks(bars, slot)}
</g>
</svg>
`.text
}

function gridLine(value: number, top: number): Markup {
  const y = drawing.height * (1 - value / top)
  return html`<path d="M0 ${y}H${drawing.width}" stroke="${light.line}"/><text x="-10" y="${y + 5}" font-size="14" text-anchor="end" fill="${light.muted}">${count(value)}</text>\n`
}

const rect = ({ x, y, width, height }: BarShape): Markup =>
  html`<rect x="${x}" y="${y}" width="${Number(width.toFixed(2))}" height="${height}"/>`

const ticks = (bars: BarChart['bars'], slot: number): Markup[] =>
  bars.flatMap(({ tick }, index) =>
    tick === null
      ? []
      : [
          html`<text x="${Number((index * slot + slot * 0.2).toFixed(2))}" y="${drawing.height + 26}" font-size="14" fill="${light.muted}">${tick}</text>\n`,
        ],
  )
