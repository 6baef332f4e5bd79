import { html, type Markup } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { shareBar } from '../chart/bar-chart.ts'
import type { FunnelView, GoalRow } from '../goals-view.ts'
import { drawnFunnel, listTitles } from '../report-lists.ts'
import type { ReportView } from '../report-view.ts'
import type { ReportExtras } from './extras.ts'

/** Goals and funnels of the account; `null`: it has none. */
export function goalsSections(view: ReportView, extras: ReportExtras): Markup | null {
  if (view.goals.length + view.funnels.length === 0) return null
  const notes = view.goalNotes.map((note) => html`<p class="quiet">${note}</p>`)
  return html`${goalsSection(view, extras)}${funnelsSection(view, extras)}${notes}`
}

function goalsSection({ goals, headings }: ReportView, extras: ReportExtras): Markup | null {
  if (goals.length === 0) return null
  const most = Math.max(1, ...goals.map(({ visits }) => visits))
  const before = headings.before === null ? null : html`<th scope="col">Visits before</th>`
  return html`<section><h2>${listTitles.goals}</h2><table class="names">
<thead><tr><th scope="col">Goal</th><th scope="col">Visits</th>${before}<th scope="col">Of all visits</th><th scope="col">Times</th></tr></thead>
<tbody>${goals.map((goal) => goalRow(goal, { most, hasBefore: before !== null }))}</tbody></table>${extras.files({ title: listTitles.goals, table: 'goals', drawn: 'goals' })}</section>`
}

function goalRow(
  { name, what, visits, before, conversion, times }: GoalRow,
  { most, hasBefore }: { most: number; hasBefore: boolean },
): Markup {
  const cellBefore = hasBefore ? html`<td>${before === null ? '–' : count(before)}</td>` : null
  return html`<tr><th scope="row"><bdi>${name}</bdi> <small class="quiet"><bdi>${what}</bdi></small>${shareBar(visits / most)}</th><td>${count(visits)}</td>${cellBefore}<td>${conversion}</td><td>${count(times)}</td></tr>\n`
}

/** The table has every funnel; with one alone, both of its files stand together. */
function funnelsSection({ funnels }: ReportView, extras: ReportExtras): Markup | null {
  if (funnels.length === 0) return null
  const table = funnels.length === 1 ? 'funnels' : null
  const blocks = funnels.map((funnel, place) =>
    funnelBlock(funnel, extras.files({ title: funnel.name, table, drawn: drawnFunnel(place) })),
  )
  const all = table === null ? extras.files({ title: 'Funnels', table: 'funnels', drawn: null }) : null
  return html`<section><h2>Funnels</h2><div class="funnels">${blocks}</div>${all}</section>`
}

const funnelBlock = (
  { name, summary, steps }: FunnelView,
  files: Markup | null,
): Markup => html`<div><h3><bdi>${name}</bdi></h3><table class="names">
<thead><tr><th scope="col">Step</th><th scope="col">Visits</th><th scope="col">Of first</th></tr></thead>
<tbody>${steps.map(
  ({ name: step, visits, ofFirst, share }, position) =>
    html`<tr><th scope="row">${position + 1}. <bdi>${step}</bdi>${shareBar(share)}</th><td>${count(visits)}</td><td>${ofFirst}</td></tr>\n`,
)}</tbody></table><p class="quiet">${summary}</p>${files}</div>\n`
