import { html, type Markup } from '../../../lib/html.ts'
import { listSubmissions } from '../../../operations/submission/list-submissions.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import type { SubmissionChoice } from '../../../report/submission-reader.ts'
import { maskedSubmission } from '../../access/masked.ts'
import { placeIn, placeText } from '../../api/submission/submission-cursor.ts'
import { captured } from '../captured.ts'
import { localTime } from '../local-time.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'
import { summaryOf } from './summary.ts'

const shownMax = 50

const choices: readonly (readonly [SubmissionChoice, string])[] = [
  ['accepted', 'Leads'],
  ['refused', 'Quarantine'],
  ['all', 'All'],
]

/** `/a/ACCOUNT?status&form&q&cursor`: what visitors have sent, latest first. */
export const inboxPage: AccountPage = {
  of: 'account',
  path: '/a/:account',
  link: { group: 'Leads', text: 'Inbox' },
  scope: 'read',
  clients: 'masked',
  async show(call, box) {
    const asked = askedFor(call)
    const shown = call.view === 'masked' ? { shown: maskedSubmission } : {}
    const wanted = { account: call.account.handle, since: null, limit: shownMax, ...asked, ...shown }
    const { records, next } = await listSubmissions(box, wanted, () => {})
    return {
      title: 'Inbox',
      body: html`${filters(call, asked)}${list(call, records)}${olderLink(call, next === null ? null : placeText(next))}`,
    }
  },
}

function askedFor({ url: { searchParams } }: AccountPageCall) {
  const status = choices.find(([choice]) => choice === searchParams.get('status'))?.[0] ?? 'accepted'
  const cursor = searchParams.get('cursor')
  return {
    which: status,
    form: searchParams.get('form') || undefined,
    q: searchParams.get('q') || undefined,
    behind: cursor === null ? null : placeIn(cursor),
  }
}

type Asked = ReturnType<typeof askedFor>

function filters({ account, url }: AccountPageCall, { which, form, q }: Asked): Markup {
  const forms = account.forms.map(
    ({ id, name }) => html`<option value="${id}"${form === id ? html` selected` : null}>${name}</option>`,
  )
  return html`<nav class="tabs" aria-label="Which submissions"><ul>${choices.map(([choice, text]) => tab(url, { choice, text, isCurrent: choice === which }))}</ul></nav>
<form class="filters" method="get" role="search"><input type="hidden" name="status" value="${which}">
<label for="q">Search</label><input id="q" name="q" type="search" value="${q ?? ''}" maxlength="200">
<label for="form">Form</label><select id="form" name="form"><option value="">Every form</option>${forms}</select>
<button>Show</button></form>`
}

function tab(
  url: URL,
  { choice, text, isCurrent }: { choice: SubmissionChoice; text: string; isCurrent: boolean },
): Markup {
  const query = new URLSearchParams(url.searchParams)
  query.set('status', choice)
  query.delete('cursor')
  const current = isCurrent ? html` aria-current="page"` : null
  return html`<li><a href="${url.pathname}?${query.toString()}"${current}>${text}</a></li>`
}

function list({ account, url }: AccountPageCall, records: readonly SubmissionRecord[]): Markup {
  if (records.length === 0) {
    const isSearch = url.searchParams.get('q') || url.searchParams.get('form')
    return isSearch
      ? html`<p>Nothing found among what was looked through.</p>`
      : html`<p>Nothing here yet. What visitors send appears within a second.</p>`
  }
  const names = new Map(account.forms.map(({ id, name }) => [id, name]))
  return html`<ol class="inbox">${records.map((record) => row(record, { account, formName: names.get(record.formId) ?? record.formId }))}</ol>`
}

function row(
  record: SubmissionRecord,
  { account, formName }: { account: AccountPageCall['account']; formName: string },
): Markup {
  const { who, words } = summaryOf(record)
  const marks = [
    record.status === 'refused' ? 'quarantine' : null,
    record.status === 'accepted' && record.refusedFor !== null ? 'released' : null,
    record.duplicateOf === null ? null : 'likely duplicate',
  ]
  return html`<li><a href="/a/${account.handle}/s/${record.submissionId}">
<span class="who">${captured(who)}</span> <span class="words">${captured(words)}</span>
<span class="meta">${formName} · ${localTime(record.receivedAt, account.settings.timezone)}${marks.map((mark) => (mark === null ? null : html` <span class="mark">${mark}</span>`))}</span></a></li>`
}

function olderLink({ url }: AccountPageCall, cursor: string | null): Markup {
  const csv = new URLSearchParams({ format: 'csv', limit: '1000' })
  for (const name of ['status', 'form', 'q']) {
    const value = url.searchParams.get(name)
    if (value) csv.set(name, value)
  }
  const older = new URLSearchParams(url.searchParams)
  if (cursor !== null) older.set('cursor', cursor)
  const handle = url.pathname.split('/')[2] ?? ''
  return html`<p class="more">${cursor === null ? null : html`<a class="button" href="${url.pathname}?${older.toString()}">Older</a> `}<a href="/api/v1/accounts/${handle}/submissions?${csv.toString()}">As CSV</a></p>`
}
