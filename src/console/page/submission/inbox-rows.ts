import { fieldLabel } from '../../../account/field-label.ts'
import type { Form } from '../../../account/form.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { JsonObject, JsonValue } from '../../../lib/json-value.ts'
import { isJsonObject } from '../../../lib/lossless-json.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { isNameField, senderName } from '../../../report/sender-name.ts'
import { mask } from '../../access/masked.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { InboxState } from '../../inbox/inbox.ts'
import { type AccountPageCall, may } from '../page.ts'
import { captured, capturedValue, cut, recentTimeText } from '../values.ts'

/** A row of the inbox; the live inbox sends the same to the script. */
export interface InboxRow {
  id: string
  who: string
  words: string
  form: string
  /** Where it came from; empty: unknown. */
  source: string
  at: string
  time: string
  marks: string[]
  /** `null`: the user does not see states. */
  state: InboxState | null
  /** Whether it is in quarantine. */
  isRefused: boolean
}

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
  { account }: AccountPageCall,
  record: SubmissionRecord,
  { state, now }: { state: InboxState | null; now: number },
): InboxRow {
  const form = account.forms.find(({ id }) => id === record.formId) ?? null
  const marks = [
    record.status === 'refused' ? 'quarantine' : '',
    record.status === 'accepted' && record.refusedFor !== null ? 'released' : '',
    record.duplicateOf === null ? '' : 'likely duplicate',
    record.confirmedAt === null ? '' : 'confirmed',
    state === 'done' ? 'done' : '',
  ]
  return {
    id: record.submissionId,
    ...summaryOf(record, form),
    form: form?.name ?? record.formId,
    source: cut(capturedValue(record.attribution.last?.source), sourceCharactersMax),
    at: record.receivedAt,
    time: recentTimeText(record.receivedAt, account.settings.timezone, now),
    marks: marks.filter((mark) => mark !== ''),
    state,
    isRefused: record.status === 'refused',
  }
}

/** The stream of new rows, and the place in the ledger after which rows are new. */
export interface Live {
  path: string
  after: string
}

/** The rows, and a template from which the script makes rows that arrive while the page is open. */
export function inboxRows(call: AccountPageCall, rows: readonly InboxRow[], live: Live | null): Markup {
  const mayWork = may(call, 'release')
  const row = (of: InboxRow) => rowMarkup(call.account.handle, of, mayWork)
  const follows = live === null ? null : html` data-live="${live.path}" data-after="${live.after}"`
  const empty = { ...emptyRow, state: 'new' as const }
  return html`<p id="inbox-news" class="unseen" role="status"></p><div id="inbox-notice" role="status"></div>${mayWork ? bulkBar(call) : null}<ol class="inbox" id="inbox"${follows}>${rows.map(row)}</ol><template id="inbox-row">${row(empty)}</template>`
}

const emptyRow = { id: '', who: '', words: '', form: '', source: '', at: '', time: '', marks: [], isRefused: false }

const rowMarkup = (handle: string, row: InboxRow, mayWork: boolean): Markup => html`<li data-state="${row.state ?? ''}">
${mayWork ? html`<label class="pick"><input type="checkbox" form="bulk" name="pick:${row.id}"><span class="unseen">Select ${captured(row.who)}</span></label>` : null}<a href="/a/${handle}/s/${row.id}"><span class="who">${row.state === 'new' ? html`<span class="unseen">New: </span>` : null}${captured(row.who)}</span> <span class="gist">${captured(row.words)}</span>
<span class="meta"><bdi class="form">${row.form}</bdi><span class="source">${row.source === '' ? null : html` · ${captured(row.source)}`}</span> · <time datetime="${row.at}">${row.time}</time><span class="marks">${row.marks.map((mark) => html` <span class="mark">${mark}</span>`)}</span></span></a>
${mayWork ? workForm(row) : null}</li>`

const workForm = ({ id, state, who, isRefused }: InboxRow): Markup => {
  const [to, text] = isRefused ? ['release', 'Release'] : state === 'done' ? ['seen', 'Reopen'] : ['done', 'Done']
  return html`<form method="post"><input type="hidden" name="do" value="${to}"><input type="hidden" name="submission" value="${id}"><button class="quiet">${text}<span class="unseen">: ${captured(who)}</span></button></form>`
}

/** Acts on every row that is selected; the checkboxes stand in the rows. */
function bulkBar(call: AccountPageCall): Markup {
  const isQuarantine = call.url.searchParams.get('status') === 'refused'
  const acts: readonly (readonly [value: string, text: string])[] = isQuarantine
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
  return html`<form id="bulk" class="bulk" method="post" aria-label="Selected leads"><label class="pick all" hidden><input type="checkbox" id="pick-all"><span class="unseen">Select all</span></label><span class="picked">Selected:</span> ${buttons}${remove}</form>`
}

const whoCharactersMax = 60
const wordsCharactersMax = 160
const sourceCharactersMax = 30
const answerCharactersMax = 80

interface SubmissionSummary {
  who: string
  words: string
}

/** Who sent it, and what they answered: never the name again. */
export function summaryOf(
  { fields, identity }: SubmissionRecord,
  form: Pick<Form, 'schema'> | null,
): SubmissionSummary {
  const who = senderName(fields) ?? identity.email ?? 'Somebody'
  return {
    who: cut(onOneLine(capturedValue(who)), whoCharactersMax),
    words: cut(answersIn(fields, { form, email: identity.email, who }), wordsCharactersMax),
  }
}

/** The answers in the order of the form's schema, short ones before a message. */
function answersIn(
  fields: JsonObject,
  { form, email, who }: { form: Pick<Form, 'schema'> | null; email: string | null; who: string },
): string {
  const declared = form?.schema.properties
  const names = new Set([...(isJsonObject(declared) ? Object.keys(declared) : []), ...Object.keys(fields)])
  const filled = [...names].flatMap((name) => {
    const text = isNameField(name) ? '' : onOneLine(answerText(fields[name]))
    const isAnswer = text !== '' && text !== mask && text !== who && text.toLowerCase() !== email && !isSwitch(text)
    return isAnswer ? [{ text, name }] : []
  })
  const answers = filled.map(({ text, name }) => (tellsItself(text) ? text : `${fieldLabel(form, name)}: ${text}`))
  const isShort = (text: string) => text.length <= answerCharactersMax
  return [...answers.filter(isShort), ...answers.filter((text) => !isShort(text))].join(' · ')
}

const answerText = (value: JsonValue | undefined): string =>
  Array.isArray(value) ? value.map(capturedValue).join(', ') : capturedValue(value)

/** A ticked box says nothing without its question, which is the form's. */
const isSwitch = (text: string): boolean => /^(?:on|off|true|false|yes|no|0|1)$/i.test(text)

/** A number or a date says nothing without the name of its field. */
const tellsItself = (text: string): boolean => /\p{L}{2}/u.test(text)

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
