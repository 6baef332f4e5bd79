import type { StoredAccount } from '../../../account/account.ts'
import type { Form } from '../../../account/form.ts'
import type { InboxRow } from '../../../client/console/inbox-row.ts'
import type { Locale } from '../../../language/locale.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { ListedSubmissions } from '../../../operations/submission/list-submissions.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { maskedSubmission } from '../../access/masked.ts'
import { submissionCursor } from '../../api/submissions.ts'
import { leadsScriptPath } from '../../look/files.ts'
import type { PageContent } from '../../page-content.ts'
import { answersText, summaryOf } from '../lead-summary.ts'
import type { AccountPageCall } from '../page.ts'
import { linesToAsk } from '../page-http.ts'
import { captured } from '../values.ts'
import { leadsCsvLink } from './inbox-csv.ts'
import { dayLeftMs, type Live, liveNote, originMarkup } from './inbox-rows.ts'

/** The leads as the account's customer sees them: rows of what was asked for, without search, quarantine, states and notes. */
export function leadsContent(
  call: AccountPageCall,
  { records, next }: ListedSubmissions,
  { live, now, ask }: { live: Live | null; now: number; ask: readonly string[] },
): PageContent {
  const { account, locale, url, view } = call
  const { console: texts } = locale.texts
  const rows = leadRows(call, records, now)
  const follows = live === null ? null : html` data-live="${live.path}" data-after="${live.after}"`
  const masked =
    view === 'masked' && rows.length > 0 ? html`<p class="hint">${texts.masked}${linesToAsk(ask)}</p>` : null
  return {
    title: texts.leads,
    ways: rows.length === 0 ? null : leadsCsvLink(call),
    script: leadsScriptPath,
    body: html`${rows.length === 0 ? html`<p id="inbox-empty">${texts.noLeads}</p>` : null}<p id="inbox-news" class="unseen" role="status" data-new="${texts.newLead}"></p><div class="bar">${masked}${live === null ? null : liveNote(call)}</div>
<ol class="inbox${view === 'masked' ? ' answers' : ''}" id="inbox" data-day-left="${dayLeftMs(call, now)}"${follows}>${rows.map((row) => item(account, row))}</ol><template id="inbox-row">${item(account, emptyRow)}</template>
${next && html`<p class="more"><a class="button" href="${url.pathname}?cursor=${submissionCursor(next)}">${texts.older}</a></p>`}`,
  }
}

const emptyRow = { id: '', who: '', words: '', form: '', source: '', at: '', date: '' }

const item = (
  { handle }: StoredAccount,
  { id, who, words, form, source, at, date }: Omit<InboxRow, 'marks' | 'state' | 'isRefused' | 'day' | 'clock'>,
): Markup =>
  html`<li><a href="/a/${handle}/s/${id}"><span class="who">${captured(who)}</span> <span class="gist">${captured(words)}</span>
${originMarkup({ form, source })} <time class="date" datetime="${at}">${date}</time></a></li>`

export const leadRows = (call: AccountPageCall, records: readonly SubmissionRecord[], now: number): InboxRow[] =>
  records.map((whole) => {
    const { account, locale, view } = call
    const record = view === 'masked' ? maskedSubmission(whole, account.forms) : whole
    const form = account.forms.find(({ id }) => id === record.formId) ?? null
    const title = leadTitle(call, record, form)
    const name = form?.name ?? record.formId
    return {
      id: record.submissionId,
      ...title,
      form: name === title.who ? '' : name,
      source: '',
      at: record.receivedAt,
      day: 'earlier',
      date: locale.recent(Date.parse(record.receivedAt), account.settings.timezone, now),
      clock: '',
      marks: [],
      state: null,
      isRefused: false,
    }
  })

/** Who asked for what. Where nobody may be named, their first answer and the others; where all are hidden, the form. */
export function leadTitle({ locale, view }: AccountPageCall, record: SubmissionRecord, form: Form | null) {
  const { who, answers, words } = summaryOf(record, form, locale.texts.leadMail.visitor)
  if (view !== 'masked') return { who, words }
  const [first, ...others] = answers
  if (first === undefined) return { who: form?.name ?? record.formId, words: '' }
  return { who: first, words: answersText(others) }
}

export function cameFrom({ attribution: { last } }: SubmissionRecord, { texts }: Locale): string {
  if (last === null) return texts.report.channels.sources.own.unknown
  if (last.source === 'direct') return texts.leadMail.direct
  const { source, medium, campaign } = last
  return [medium === 'none' ? source : `${source} / ${medium}`, campaign].filter((part) => part !== null).join(' · ')
}
