import type { Locale } from '../../language/locale.ts'
import { html, type Markup } from '../../lib/html.ts'
import { encodePng } from '../../lib/png.ts'
import { colourOfBothGrounds, parseColour } from '../../lib/readable-colour.ts'

/** A row of bars over time. Its text is HTML around the drawing, so that it stays legible when the drawing is stretched. */
export interface BarChart {
  /** What the chart shows in a sentence, for screen readers. */
  summary: string
  bars: Bar[]
  /** Values drawn as a line before the bars; `null`: nothing to compare with. */
  before: readonly number[] | null
}

interface Bar {
  value: number
  /** When: `Mon 12 Oct`. */
  label: string
  /** Shown beside the pointer. */
  hint: string
  /** What stands below it; `null`: nothing. */
  tick: string | null
  /** Drawn pale: its time is not over, or only a part of it is shown. */
  isPart: boolean
}

/** Width of a bar with the space beside it, and the height, in units of the drawing. */
const slot = 10
const barWidth = 6
const height = 100

/** The chart as HTML, to be used with `chartStyle`. It has no inline styles, for pages that forbid them. */
export function barChart({ summary, bars, before }: BarChart, locale: Locale): Markup {
  const values = bars.map(({ value }) => value)
  const top = scaleTop(Math.max(1, ...values, ...(before ?? [])))
  const width = bars.length * slot
  const drawing = { top, slot, height }
  const shapes = new Map(barShapes(values, { ...drawing, width: barWidth }).map((shape) => [shape.index, shape]))
  const line = before && linePath(before.slice(0, bars.length), drawing)
  return html`<div class="chart">
<div class="scale" aria-hidden="true"><span>${locale.count(top)}</span><span>${locale.count(top / 2)}</span><span>0</span></div>
<svg role="img" aria-label="${summary}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">
<path class="grid" d="M0 0H${width}M0 ${height / 2}H${width}M0 ${height}H${width}"/>
${bars.map(({ hint, isPart }, index) => {
  const hit = html`<rect class="hit" x="${index * slot}" y="0" width="${slot}" height="${height}"/>`
  const shape = shapes.get(index)
  return html`<g><title>${hint}</title>${hit}${shape === undefined ? null : upright(isPart ? 'bar part' : 'bar', shape)}</g>\n`
})}${line === null ? null : html`<path class="before edge" d="${line}"/><path class="before" d="${line}"/>`}
</svg>
<div class="ticks" aria-hidden="true">${bars.map(({ tick }) => html`<span>${tick}</span>`)}</div>
</div>`
}

/** A line through the middle of the slots, as high as their values. */
export const linePath = (values: readonly number[], { top, slot, height }: Omit<Drawing, 'width'>): string =>
  values
    .map((value, index) => {
      const [x, y] = [rounded((index + 0.5) * slot), rounded(height * (1 - value / top))]
      return `${index === 0 ? 'M' : 'L'}${x} ${y}`
    })
    .join('')

const upright = (style: string, { x, y, width, height }: BarShape): Markup =>
  html`<rect class="${style}" x="${x}" y="${y}" width="${width}" height="${height}"/>`

/** A bar beside a name, as long as its share of the longest bar. The number is text beside it. */
export const shareBar = (share: number): Markup =>
  html`<svg class="share" aria-hidden="true" viewBox="0 0 100 1" preserveAspectRatio="none"><rect class="bar" width="${rounded(share * 100)}" height="1"/></svg>`

/** Style of both; it uses the custom properties `--accent`, `--line`, `--muted` and `--paper` of the page around it. */
export const chartStyle = `
.chart{display:grid;grid-template-columns:auto minmax(0,1fr);column-gap:.5rem}
.chart{--height:8rem}
.chart svg{display:block;width:100%;height:var(--height);overflow:visible}
.chart .scale{display:flex;flex-direction:column;justify-content:space-between;min-width:3.2em;height:calc(var(--height) + 1.1em);margin:-.55em 0;text-align:right}
.chart .scale,.chart .ticks{color:var(--muted);font-size:.75rem;line-height:1.1;font-variant-numeric:tabular-nums}
.chart .ticks{grid-column:2;display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);padding-top:.4rem}
.chart .ticks span{display:flex;justify-content:center;white-space:nowrap;min-height:1.1em}
.chart .grid{fill:none;stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke}
.chart .hit{fill:transparent}
.chart g:hover .hit{fill:var(--muted);fill-opacity:.2}
.bar{fill:var(--accent)}.part{fill-opacity:.45}
.before{fill:none;stroke:var(--muted);stroke-width:1.5;stroke-dasharray:4 3;vector-effect:non-scaling-stroke;pointer-events:none}
.before.edge{stroke:var(--card);stroke-width:4;stroke-dasharray:none}
.share{display:block;width:100%;height:.3rem;margin-top:.25rem}
`

/** One bar of a drawing, in its units. */
export interface BarShape {
  index: number
  x: number
  y: number
  width: number
  height: number
}

interface Drawing {
  /** The value of the full height. */
  top: number
  /** Width of a bar with the space beside it. */
  slot: number
  /** Width of the bar itself. */
  width: number
  height: number
}

/** A bar for each value that is not 0, from the bottom up, in the middle of its slot. */
export const barShapes = (values: readonly number[], { top, slot, width, height }: Drawing): BarShape[] =>
  values.flatMap((value, index) => {
    if (value === 0) return []
    const high = (value / top) * height
    return [
      { index, x: rounded(index * slot + (slot - width) / 2), y: rounded(height - high), width, height: rounded(high) },
    ]
  })

export const rounded = (number: number): number => Number(number.toFixed(2))

const steps = [1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10] as const

/** The value of a chart's highest line: a round, even number. */
export function scaleTop(most: number): number {
  let power = 1
  while (power * 10 < most) power *= 10
  return steps.map((step) => Math.round(step * power)).find((top) => top >= most && top % 2 === 0) ?? power * 10
}

/** Pixels: twice the displayed size, for high-density screens. */
const pictureWidth = 1104
const pictureHeight = 240
const lineHeight = 2

/** Places in the palette. */
const ground = 0
const line = 1
const earlier = 2
const part = 3
const bar = 4

/** The bars of a chart as a PNG without text, for light and dark backgrounds. */
export function chartPicture({ bars, before }: Pick<BarChart, 'bars' | 'before'>, colour: string): Uint8Array {
  const values = bars.map(({ value }) => value)
  const top = scaleTop(Math.max(1, ...values, ...(before ?? [])))
  const pixels = new Uint8Array(pictureWidth * pictureHeight).fill(ground)
  for (const y of [0, pictureHeight / 2, pictureHeight - lineHeight])
    fill(pixels, { x: 0, y, wide: pictureWidth, high: lineHeight }, line)
  const slot = pictureWidth / Math.max(1, bars.length)
  const upright = (value: number, index: number, share: number, colour: number): void => {
    const high = Math.round((value / top) * pictureHeight)
    const x = Math.round((index + (1 - share) / 2) * slot)
    fill(pixels, { x, y: pictureHeight - high, wide: Math.max(1, Math.round(slot * share)), high }, colour)
  }
  for (const [index, { value, isPart }] of bars.entries()) upright(value, index, 0.6, isPart ? part : bar)
  stroke(pixels, (before ?? []).slice(0, bars.length), { top, slot })
  const [red, green, blue] = parseColour(colourOfBothGrounds(colour))
  const palette = [
    [0, 0, 0, 0],
    [128, 128, 128, 90],
    [128, 128, 128, 255],
    [red, green, blue, 120],
    [red, green, blue, 255],
  ] as const
  return encodePng({ width: pictureWidth, height: pictureHeight, palette, pixels })
}

const strokeHeight = 4

/** A line through the middle of the slots, column by column; a steep part is filled down to the column before it. */
function stroke(pixels: Uint8Array, values: readonly number[], { top, slot }: Pick<Drawing, 'top' | 'slot'>): void {
  const heightAt = (x: number): number => {
    const place = Math.min(Math.max(x / slot - 0.5, 0), values.length - 1)
    const [left = 0, right = left] = [values[Math.floor(place)], values[Math.ceil(place)]]
    return Math.round((pictureHeight - strokeHeight) * (1 - (left + (right - left) * (place % 1)) / top))
  }
  const end = Math.min(pictureWidth, Math.round((values.length - 0.5) * slot))
  for (let x = Math.round(slot / 2); x < end; x++) {
    const [y, next] = [heightAt(x), heightAt(x + 1)]
    const high = Math.abs(next - y) + strokeHeight
    fill(pixels, { x, y: Math.min(y, next), wide: 1, high }, earlier)
  }
}

interface Box {
  x: number
  y: number
  wide: number
  high: number
}

function fill(pixels: Uint8Array, { x, y, wide, high }: Box, colour: number): void {
  const end = Math.min(pictureWidth, x + wide)
  for (let row = y; row < Math.min(pictureHeight, y + high); row++)
    pixels.fill(colour, row * pictureWidth + x, row * pictureWidth + end)
}
