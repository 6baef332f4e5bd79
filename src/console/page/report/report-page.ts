import { filled } from '../../../language/wording.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { dateOfDay } from '../../../lib/local-day.ts'
import { listPages } from '../../../operations/page/pages.ts'
import { reportLists } from '../../../report/document/lists.ts'
import { reportBody } from '../../../report/document/page.ts'
import { reportParts } from '../../../report/document/parts.ts'
import type { ReportView } from '../../../report/document/report-view.ts'
import { seriesCharts } from '../../../report/document/series.ts'
import { chartFile, listFile } from '../../../report/document/svg-files.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { described, faultLine } from '../../look/fields.ts'
import { emptyState } from '../../look/notice.ts'
import { tabs } from '../list-page.ts'
import { type AccountPage, type AccountPageCall, may } from '../page.ts'
import { messageContent, securityHeaders } from '../page-http.ts'
import { accountGuide } from '../start/guides.ts'
import { seesStates } from '../submission/inbox-filters.ts'
import {
  type AskedPeriod,
  daysQuery,
  fixedPeriodOf,
  periodOfCall,
  periodQuery,
  presets,
  viewOf,
} from './asked-period.ts'
import { shareForms, sharesSection, shareWay } from './shares.ts'

/** `/a/ACCOUNT/report?period` or `?from&to`: the figures of a period beside those of the period before. */
export const reportPage: AccountPage = {
  path: '/a/:account/report',
  link: { group: 'Leads', text: 'Report', icon: 'bars' },
  scope: 'read',
  clients: 'whole',
  async show(call, box) {
    const asked = periodOfCall(call, box)
    const view = await viewOf(call, asked, box)
    const title = call.locale.texts.console.report
    if (!view.isCounted && asked.fault === null) return { title, body: await firstSteps(call, box) }
    return {
      title,
      ways: html`${shareWay(call, asked)}${takeMenu(view, call, asked)}`,
      body: html`${await sharesSection(call, asked, box)}${periodForm(call, asked, view)}${reportBody(view, linksOf(call))}`,
    }
  },
  forms: shareForms,
}

const linksOf = (call: AccountPageCall) => ({
  leads: `/a/${call.account.handle}`,
  untold: seesStates(call)
    ? html`<span lang="en">Where these leads came from is not known. Usually the page with their form lacks the script. <a href="/a/${call.account.handle}/forms">Get the script</a></span>`
    : undefined,
  quarantine: may(call, 'release') ? `/a/${call.account.handle}?status=refused` : undefined,
})

/** In place of an account's figures, before there are any: what is left to do, by whoever can do it. */
async function firstSteps(call: AccountPageCall, box: ConsoleBox): Promise<Markup> {
  const { report, console: words } = call.locale.texts
  const { nothingYet } = report.notes
  const guide = await accountGuide(call, box)
  if (guide !== null) return html`<p>${nothingYet}</p>${guide}`
  const { pages } = await listPages(box, call.account.handle)
  const page = pages.find(({ isLive }) => isLive)
  const text = filled(words.emptyReport.open, { page: `/${page?.slug}` })
  const way = page && html`<p><a class="button" href="${page.url}" rel="noopener noreferrer">${text}</a></p>`
  return emptyState(nothingYet, words.emptyReport.text, way)
}

/** The choice of days, and the days in the language of the account, whoever reads them. */
function periodForm({ url, locale }: AccountPageCall, asked: AskedPeriod, view: ReportView): Markup {
  const { period: words } = locale.texts.console
  const fault = asked.fault === null ? null : { field: 'period', message: words[asked.fault] }
  const shownDay = (name: string, day: number) => (fault === null ? dateOfDay(day) : url.searchParams.get(name))
  const periods = presets.map((name) => ({
    href: `${url.pathname}?period=${name}`,
    text: words[name],
    isCurrent: name === asked.preset,
  }))
  const custom = { href: `${url.pathname}?${daysQuery(asked)}`, text: words.custom, isCurrent: asked.preset === null }
  const form = html`<form class="filters days-asked" method="get">
<label>${words.from} <input name="from" type="date" required value="${shownDay('from', asked.fromDay)}"${described('period', fault)}></label>
<label>${words.to} <input name="to" type="date" required value="${shownDay('to', asked.untilDay - 1)}"${described('period', fault)}></label> <button>${words.show}</button></form>
${faultLine('period', fault)}`
  return html`<div class="asked-period">${tabs(words.label, [...periods, custom])}
<p class="soft" lang="${view.locale.language}"><b>${view.title}</b> <span>${view.dates}</span></p></div>
${asked.preset === null || fault !== null ? form : null}`
}

/** Every part of the report as a file. */
function takeMenu(view: ReportView, { account: { handle }, url, locale }: AccountPageCall, asked: AskedPeriod): Markup {
  const words = locale.texts.console
  const { since, until } = fixedPeriodOf(asked)
  const csv = (table: string) =>
    `/api/v1/accounts/${handle}/report?${new URLSearchParams({ format: 'csv', table, since, until })}`
  const picture = (drawn: string) => `${url.pathname}/chart/${drawn}?${periodQuery(asked)}`
  const items = reportParts(view).flatMap(({ title, table, drawn }) => {
    const part = html`<span lang="${view.locale.language}">${title}</span>`
    return [
      ...(table === null ? [] : [html`<li><a href="${csv(table)}">${part} <small class="soft">CSV</small></a></li>`]),
      ...(drawn === null
        ? []
        : [
            html`<li><a href="${picture(drawn)}" download>${part} <small class="soft">${words.picture}</small></a></li>`,
          ]),
    ]
  })
  return html`<button type="button" class="quiet save" popovertarget="files">${words.download}</button><ul id="files" class="acts-menu" popover>${items}</ul>`
}

/** `/a/ACCOUNT/report/chart/visits`: a chart or a list of the report as an SVG file. */
export const chartFilePage: AccountPage = {
  path: '/a/:account/report/chart/:drawn',
  scope: 'read',
  clients: 'whole',
  async show(call, box) {
    const asked = periodOfCall(call, box)
    const { drawn = '' } = call.params
    const picture = pictureOf(drawn, await viewOf(call, asked, box))
    if (picture === null) return messageContent('nothingHere', call.locale)
    const { since } = fixedPeriodOf(asked)
    return new Response(picture, {
      headers: {
        ...securityHeaders,
        'content-type': 'image/svg+xml; charset=utf-8',
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="${call.account.handle}-${drawn}-${since}.svg"`,
      },
    })
  },
}

/** `null`: the report draws nothing of this name. */
function pictureOf(name: string, view: ReportView): string | null {
  const chart = seriesCharts(view).find(({ drawn }) => drawn === name)
  if (chart !== undefined) return chartFile(chart, view)
  const list = reportLists(view).find(({ drawn }) => drawn === name)
  return list === undefined ? null : listFile(list, view)
}
