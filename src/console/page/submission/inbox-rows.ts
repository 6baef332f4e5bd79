import type { InboxRow } from '../../../client/console/inbox-row.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { localDay, startOfDay } from '../../../lib/local-day.ts'
import { phoneToCall } from '../../../operations/submission/personal-field.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { InboxState } from '../../inbox/inbox.ts'
import { summaryOf } from '../lead-summary.ts'
import { type AccountPageCall, may } from '../page.ts'
import { captured, capturedValue, cut, recentTime } from '../values.ts'
import { filtersIn, type InboxQuery, inboxQuery } from './inbox-filters.ts'
import { refusalReasons } from './quarantine.ts'

export async function inboxRowsOf(
  call: AccountPageCall,
  records: readonly SubmissionRecord[],
  { inboxStates, clock }: Pick<ConsoleBox, 'inboxStates' | 'clock'>,
): Promise<InboxRow[]> {
  const now = clock.now()
  const ids = records.map(({ submissionId }) => submissionId)
  const states = await inboxStates.of(call.account.id, ids)
  return records.map((record) =>
    inboxRow(call, record, { state: states.get(record.submissionId)?.state ?? 'new', now }),
  )
}

function inboxRow(
  call: AccountPageCall,
  record: SubmissionRecord,
  { state, now }: { state: InboxState | null; now: number },
): InboxRow {
  const { account } = call
  const form = account.forms.find(({ id }) => id === record.formId) ?? null
  const { who, words } = summaryOf(record, form)
  const marks = [
    quarantineMark(record, inboxQuery(call)),
    record.status === 'accepted' && record.refusedFor !== null ? 'released' : '',
    record.duplicateOf === null ? '' : 'likely duplicate',
    record.confirmedAt === null ? '' : 'confirmed',
  ]
  return {
    id: record.submissionId,
    who,
    words: words || contactBeside(who, record),
    ...originOf(call, record),
    at: record.receivedAt,
    ...recentTime(record.receivedAt, account.settings.timezone, now),
    marks: marks.filter((mark) => mark !== ''),
    state,
    isRefused: record.status === 'refused',
  }
}

/** In place of a message: how to reach them. */
const contactBeside = (who: string, { fields, identity: { email } }: SubmissionRecord): string =>
  phoneToCall(fields) ?? (email === null || email === who ? '' : email)

/** Why it was refused; beside leads, only that it was. */
function quarantineMark({ status, refusedFor }: SubmissionRecord, { which }: InboxQuery): string {
  if (status !== 'refused') return ''
  return which === 'refused' && refusedFor !== null ? refusalReasons[refusedFor].short : 'quarantine'
}

const sourceCharactersMax = 30

/** The form, unless the account has no other, and where the visitor came from. */
function originOf(
  { account, locale }: AccountPageCall,
  { formId, attribution: { last } }: SubmissionRecord,
): Pick<InboxRow, 'form' | 'source'> {
  const form = account.forms.find(({ id }) => id === formId)
  const source = last?.source === 'direct' ? locale.texts.leadMail.direct : capturedValue(last?.source)
  return {
    form: account.forms.length === 1 && form ? '' : (form?.name ?? formId),
    source: cut(source, sourceCharactersMax),
  }
}

/** The stream of new rows, and the place in the ledger after which rows are new. */
export interface Live {
  path: string
  after: string
}

interface ShownRows {
  rows: readonly InboxRow[]
  which: InboxQuery['which']
  /** `null`: a later page, which nothing is added to. */
  live: Live | null
  now: number
}

/** Until midnight where the account is. */
export function dayLeftMs({ account }: Pick<AccountPageCall, 'account'>, now: number): number {
  const { timezone } = account.settings
  return startOfDay(localDay(now, timezone) + 1, timezone) - now
}

/** The rows, and a template from which the script makes rows that arrive while the page is open. */
export function inboxRows(call: AccountPageCall, { rows, which, live, now }: ShownRows): Markup {
  const { handle } = call.account
  const { pathname, search } = call.url
  const mayWork = may(call, 'release')
  const row = (of: InboxRow) => rowMarkup(handle, of, mayWork ? pathname + search : null)
  const follows = live === null ? null : html` data-live="${live.path}" data-after="${live.after}"`
  return html`<p id="inbox-news" class="unseen" role="status"></p><div class="bar">${mayWork ? bulkBar(call, which) : null}${liveNote(call)}</div>
<ol class="inbox leads" id="inbox" data-day-left="${dayLeftMs(call, now)}" data-list="/a/${handle}" data-which="${which}" data-none="${which === 'accepted' ? 'Choose a lead' : 'Choose a message'} to read it here." data-filters="${filtersIn(call.url.searchParams).toString()}"${follows}>${rows.map(row)}</ol><template id="inbox-row">${row(emptyRow)}</template>`
}

/** Where the script says whether new leads arrive. */
export function liveNote({ locale, url }: Pick<AccountPageCall, 'locale' | 'url'>): Markup {
  const { live, notLive, messages, signingIn } = locale.texts.console
  return html`<p id="live" class="meta" role="status" data-now="${live}" data-lost="${notLive}" data-ended="${messages.signedOut.title}"></p><a class="meta again" href="${url.pathname}${url.search}">${signingIn.title}</a>`
}

const emptyRow: InboxRow = {
  ...{ id: '', who: '', words: '', form: '', source: '', at: '', day: 'today', date: '', clock: '' },
  ...{ marks: [], state: 'new', isRefused: false },
}

/** @param actsTo where the row's form goes; `null`: the user may not work on leads */
const rowMarkup = (
  handle: string,
  row: InboxRow,
  actsTo: string | null,
): Markup => html`<li data-id="${row.id}" data-state="${row.state ?? ''}" data-day="${row.day}">
${actsTo === null ? null : html`<label class="pick"><input type="checkbox" form="bulk" name="pick:${row.id}"><span class="unseen">Select ${captured(row.who)}</span></label>`}<a href="/a/${handle}/s/${row.id}"><span class="who"><span class="unseen state">${stateBefore[row.state ?? 'seen']}</span>${captured(row.who)}</span> <span class="gist">${captured(row.words)}</span>
${originMarkup(row, html`<span class="marks">${row.marks.map((mark) => html` <span class="mark">${mark}</span>`)}</span>`)}
<time datetime="${row.at}"><span class="date">${row.date}</span> <span class="clock">${row.clock}</span></time></a>
${actsTo === null ? null : workForm(actsTo, row)}</li>`

export const originMarkup = (
  { form, source }: Pick<InboxRow, 'form' | 'source'>,
  marks: Markup | null = null,
): Markup =>
  html`<span class="meta"><bdi class="form">${form}</bdi><span class="source">${source === '' ? null : captured(source)}</span>${marks}</span>`

/** For screen readers, before the name; others see it by the row's look. */
const stateBefore: Record<InboxState, string> = { new: 'New: ', seen: '', done: 'Done: ' }

const workForm = (actsTo: string, { id, state, who, isRefused }: InboxRow): Markup => {
  const whose = html`<span class="unseen">: ${captured(who)}</span>`
  const button = (act: string, text: string, isHidden = false) =>
    html`<button class="quiet" name="do" value="${act}"${isHidden ? html` hidden` : null}>${text}${whose}</button>`
  const [act, text] = state === 'done' ? ['seen', 'Reopen'] : ['done', 'Done']
  const first = isRefused ? button('release', 'Release') : button(act, text)
  // The script shows it once the lead is released.
  const buttons = html`${first}${button('refuse', 'Refuse', isRefused)}`
  return html`<form method="post" action="${actsTo}" data-act><input type="hidden" name="submission" value="${id}">${buttons}</form>`
}

/** Acts on every row that is selected; the checkboxes stand in the rows. */
function bulkBar(call: AccountPageCall, which: InboxQuery['which']): Markup {
  const acts: readonly (readonly [value: string, text: string])[] =
    which === 'refused'
      ? [['bulk-release', 'Release']]
      : [
          ['bulk-done', 'Done'],
          ['bulk-new', 'Mark as new'],
          ['bulk-refuse', 'Refuse'],
        ]
  const buttons = acts.map(([value, text]) => html`<button class="quiet" name="do" value="${value}">${text}</button>`)
  const remove = may(call, 'remove')
    ? html`<button class="quiet grave" name="do" value="bulk-remove">Remove …</button>`
    : null
  const { pathname, search } = call.url
  return html`<form id="bulk" class="bulk" method="post" action="${pathname}${search}" data-act aria-label="Selected leads"><label class="pick all" hidden><input type="checkbox" id="pick-all"><span class="unseen">Select all</span></label><span class="picked">Selected:</span> ${buttons}${remove}</form>`
}
