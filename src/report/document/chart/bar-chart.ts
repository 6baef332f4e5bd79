import { html, type Markup } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { scaleTop } from './scale.ts'

/** A row of bars over time. Its text is HTML around the drawing, so that it stays legible when the drawing is stretched. */
export interface BarChart {
  /** What it shows, in a sentence: whoever cannot see it hears this. */
  summary: string
  bars: Bar[]
  /** Drawn pale behind the bars; `null`: nothing to compare with. */
  before: readonly number[] | null
}

export interface Bar {
  value: number
  /** Shown beside the pointer. */
  hint: string
  /** What stands below it; `null`: nothing. */
  tick: string | null
}

/** Units of the drawing that a bar and the space beside it take, and its height. */
const slot = 10
const barWidth = 6
const paleWidth = 9
const height = 100

/** The chart as HTML; `chartStyle` belongs to it. Without inline styles, for pages that forbid them. */
export function barChart({ summary, bars, before }: BarChart): Markup {
  const top = scaleTop(Math.max(1, ...bars.map(({ value }) => value), ...(before ?? [])))
  const width = bars.length * slot
  return html`<div class="chart">
<div class="scale" aria-hidden="true"><span>${count(top)}</span><span>${count(top / 2)}</span><span>0</span></div>
<svg role="img" aria-label="${summary}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">
<path class="grid" d="M0 0H${width}M0 ${height / 2}H${width}M0 ${height}H${width}"/>
${before === null ? null : before.slice(0, bars.length).map((value, index) => pale(value, index, top))}${bars.map((bar, index) => drawn(bar, index, top))}
</svg>
<div class="ticks" aria-hidden="true">${bars.map(({ tick }) => html`<span>${tick}</span>`)}</div>
</div>`
}

function drawn({ value, hint }: Bar, index: number, top: number): Markup {
  const hit = html`<rect class="hit" x="${index * slot}" y="0" width="${slot}" height="${height}"/>`
  return html`<g><title>${hint}</title>${hit}${upright('bar', { value, index, top, width: barWidth })}</g>\n`
}

const pale = (value: number, index: number, top: number): Markup | null =>
  upright('pale', { value, index, top, width: paleWidth })

interface Upright {
  value: number
  index: number
  top: number
  width: number
}

function upright(style: 'bar' | 'pale', { value, index, top, width }: Upright): Markup | null {
  if (value === 0) return null
  const high = (value / top) * height
  const begin = index * slot + (slot - width) / 2
  return html`<rect class="${style}" x="${begin}" y="${rounded(height - high)}" width="${width}" height="${rounded(high)}"/>`
}

const rounded = (number: number): number => Number(number.toFixed(2))

/** A bar beside a name, as long as its share of the longest. The number stands beside it as text. */
export const shareBar = (share: number): Markup =>
  html`<svg class="share" aria-hidden="true" viewBox="0 0 100 1" preserveAspectRatio="none"><rect class="bar" width="${rounded(share * 100)}" height="1"/></svg>`

/** Style of both; it uses the custom properties `--accent`, `--pale`, `--line` and `--muted` of the page around it. */
export const chartStyle = `
.chart{display:grid;grid-template-columns:auto minmax(0,1fr);column-gap:.5rem}
.chart{--height:9rem}
.chart svg{display:block;width:100%;height:var(--height);overflow:visible}
.chart .scale{display:flex;flex-direction:column;justify-content:space-between;height:calc(var(--height) + 1.1em);margin:-.55em 0;text-align:right}
.chart .scale,.chart .ticks{color:var(--muted);font-size:.75rem;line-height:1.1;font-variant-numeric:tabular-nums}
.chart .ticks{grid-column:2;display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);padding-top:.4rem}
.chart .ticks span{white-space:nowrap;min-height:1.1em}
.chart .grid{fill:none;stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke}
.chart .hit{fill:transparent}
.chart g:hover .hit{fill:var(--muted);fill-opacity:.2}
.bar{fill:var(--accent)}.pale{fill:var(--pale)}
.share{display:block;width:100%;height:.3rem;margin-top:.25rem}
`
