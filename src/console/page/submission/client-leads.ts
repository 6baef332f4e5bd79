import type { StoredAccount } from '../../../account/account.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { ListedSubmissions } from '../../../operations/submission/list-submissions.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { maskedSubmission } from '../../access/masked.ts'
import { submissionCursor } from '../../api/submissions.ts'
import { leadsScriptPath } from '../../look/files.ts'
import type { PageContent } from '../../page-content.ts'
import type { AccountPageCall } from '../page.ts'
import { captured } from '../values.ts'
import { type InboxRow, type Live, summaryOf } from './inbox-rows.ts'

/** The leads as the account's customer sees them: rows of what was asked for, without search, quarantine, states and notes. */
export function leadsContent(
  call: AccountPageCall,
  { records, next }: ListedSubmissions,
  live: Live | null,
): PageContent {
  const { account, locale, url, view } = call
  const { console: texts } = locale.texts
  const rows = leadRows(call, records)
  const follows = live === null ? null : html` data-live="${live.path}" data-after="${live.after}"`
  const masked = view === 'masked' && rows.length > 0 ? html`<p class="hint">${texts.masked}</p>` : null
  return {
    title: texts.leads,
    script: leadsScriptPath,
    body: html`${masked}${rows.length === 0 ? html`<p id="inbox-empty">${texts.noLeads}</p>` : null}<p id="inbox-news" class="unseen" role="status" data-new="${texts.newLead}"></p>
<ol class="inbox asked" id="inbox"${follows}>${rows.map((row) => item(account, row))}</ol><template id="inbox-row">${item(account, emptyRow)}</template>
<p class="more">${next === null ? null : html`<a class="button" href="${url.pathname}?cursor=${submissionCursor(next)}">${texts.older}</a> `}<a href="/a/${account.handle}/leads.csv">${texts.asCsv}</a></p>`,
  }
}

const emptyRow = { id: '', who: '', words: '', form: '', source: '', at: '', date: '' }

const item = (
  { handle }: StoredAccount,
  { id, who, words, form, source, at, date }: Omit<InboxRow, 'marks' | 'state' | 'isRefused' | 'day' | 'clock'>,
): Markup =>
  html`<li><a href="/a/${handle}/s/${id}"><span class="who">${captured(who)}</span> <span class="gist">${captured(words)}</span>
<span class="meta"><bdi class="form">${form}</bdi><span class="source">${source === '' ? null : captured(source)}</span> · <time class="date" datetime="${at}">${date}</time></span></a></li>`

/** A row leads with what was asked for, or with the form where nothing of it may be shown. */
export const leadRows = (
  { account, locale, view }: AccountPageCall,
  records: readonly SubmissionRecord[],
): InboxRow[] =>
  records.map((whole) => {
    const record = view === 'masked' ? maskedSubmission(whole, account.forms) : whole
    const form = account.forms.find(({ id }) => id === record.formId) ?? null
    const name = form?.name ?? record.formId
    const { who, words } = summaryOf(record, form)
    return {
      id: record.submissionId,
      ...(view === 'masked' ? { who: words || name, words: '' } : { who, words }),
      form: name,
      source: cameFrom(record),
      at: record.receivedAt,
      day: 'earlier',
      date: locale.instant(Date.parse(record.receivedAt), account.settings.timezone),
      clock: '',
      marks: [],
      state: null,
      isRefused: false,
    }
  })

export function cameFrom({ attribution: { last } }: SubmissionRecord): string {
  if (last === null) return ''
  return [`${last.source} / ${last.medium}`, last.campaign].filter((part) => part !== null).join(' · ')
}
