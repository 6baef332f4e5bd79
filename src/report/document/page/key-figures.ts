import { html, type Markup } from '../../../lib/html.ts'
import { arrows, type KeyFigure } from '../key-figures.ts'
import type { ReportView } from '../report-view.ts'

/** The figures at the top of a report, each with that of the previous period. */
export const keyFiguresList = ({ keyFigures, beforeInWords }: ReportView): Markup =>
  html`<dl class="figures">${keyFigures.map((figure) => keyFigureItem(figure, beforeInWords))}</dl>`

function keyFigureItem({ label, value, comparison, missing }: KeyFigure, when: string): Markup {
  const change =
    comparison === null
      ? html`${missing}`
      : html`<b>${arrows[comparison.direction]}${comparison.words}</b><br>${comparison.beforeText} ${when}`
  return html`<div><dt>${label}</dt><dd class="value">${value}</dd><dd class="change">${change}</dd></div>\n`
}
