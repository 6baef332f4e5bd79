import { html, type Markup } from '../../../lib/html.ts'
import { count, plural } from '../../../lib/quantities.ts'
import { shareBar } from '../chart/bar-chart.ts'
import type { RankedList, RankedRow } from '../ranked-list.ts'
import { listTitles } from '../report-lists.ts'
import type { MessageRow, ReportView } from '../report-view.ts'
import type { ReportExtras } from './extras.ts'

interface ListWords {
  title: string
  /** The headings of the names and of the counts. */
  name: string
  counted: string
  /** The text in place of an empty table. */
  empty: string
  /** The noun for names that are not shown: `source`. */
  one: string
}

/** Names with their figures and bars, most first. */
export function rankedSection(
  list: RankedList,
  { title, name, counted, empty, one }: ListWords,
  { headings, after = null }: { headings: ReportView['headings']; after?: Markup | null },
): Markup {
  if (list.rows.length === 0) return html`<section><h2>${title}</h2><p class="quiet">${empty}</p>${after}</section>`
  const before = headings.before === null ? null : html`<th scope="col">${headings.before}</th>`
  return html`<section><h2>${title}</h2><table class="names">
<thead><tr><th scope="col">${name}</th><th scope="col">${headings.before === null ? counted : headings.now}</th>${before}</tr></thead>
<tbody>${list.rows.map(rankedRow)}</tbody>${moreRows(list, { one, columns: headings.before === null ? 0 : 1 })}
</table>${after}</section>`
}

const rankedRow = ({ name, count: counted, before, share }: RankedRow): Markup =>
  html`<tr><th scope="row"><bdi>${name}</bdi>${shareBar(share)}</th><td>${count(counted)}</td>${
    before === null ? null : html`<td>${count(before)}</td>`
  }</tr>\n`

function moreRows({ more }: RankedList, { one, columns }: { one: string; columns: number }): Markup | null {
  if (more === null) return null
  return html`<tfoot><tr><th scope="row">and ${plural(more.names, `more ${one}`)}</th><td>${count(more.count)}</td>${
    columns === 0 ? null : html`<td></td>`
  }</tr></tfoot>`
}

export function messagesSection({ messages, moreMessages }: ReportView, extras: ReportExtras): Markup | null {
  if (messages.length === 0) return null
  const most = Math.max(1, ...messages.map(({ human }) => human))
  const more = moreMessages === 0 ? null : html`<p class="quiet">and ${plural(moreMessages, 'more message')}</p>`
  return html`<section><h2>${listTitles.messages}</h2><table class="names">
<thead><tr><th scope="col">Message</th><th scope="col">Human</th><th scope="col">Suspected</th><th scope="col">Machine</th></tr></thead>
<tbody>${messages.map((row) => messageRow(row, most))}</tbody></table>${more}
<p class="quiet">Mail filters follow links too. Clicks that are certainly theirs are under “Machine”, possible ones under “Suspected”.</p>${extras.files({ title: listTitles.messages, table: 'messages', drawn: 'messages' })}</section>`
}

const messageRow = ({ name, human, suspected, machine }: MessageRow, most: number): Markup =>
  html`<tr><th scope="row"><bdi>${name}</bdi>${shareBar(human / most)}</th><td>${count(human)}</td><td>${count(suspected)}</td><td>${count(machine)}</td></tr>\n`
