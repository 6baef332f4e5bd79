import { html, type Markup } from '../../../lib/html.ts'
import type { JsonObject } from '../../../lib/json-value.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { InboxState } from '../../inbox/inbox.ts'
import { type AccountPageCall, may } from '../page.ts'
import { captured, capturedValue, cut, localTimeText } from '../values.ts'
import { seesStates } from './inbox-filters.ts'

/** A row of the inbox; the live inbox sends the same to the script. */
export interface InboxRow {
  id: string
  who: string
  words: string
  form: string
  at: string
  time: string
  marks: string[]
  /** `null`: the user does not see states. */
  state: InboxState | null
}

export async function inboxRowsOf(
  call: AccountPageCall,
  records: readonly SubmissionRecord[],
  { inboxStates }: Pick<ConsoleBox, 'inboxStates'>,
): Promise<InboxRow[]> {
  if (!seesStates(call)) return records.map((record) => inboxRow(call, record, null))
  const ids = records.map(({ submissionId }) => submissionId)
  const states = await inboxStates.of(call.account.id, ids)
  return records.map((record) => inboxRow(call, record, states.get(record.submissionId)?.state ?? 'new'))
}

function inboxRow({ account }: AccountPageCall, record: SubmissionRecord, state: InboxState | null): InboxRow {
  const marks = [
    record.status === 'refused' ? 'quarantine' : '',
    record.status === 'accepted' && record.refusedFor !== null ? 'released' : '',
    record.duplicateOf === null ? '' : 'likely duplicate',
    state === 'done' ? 'done' : '',
  ]
  return {
    id: record.submissionId,
    ...summaryOf(record),
    form: account.forms.find(({ id }) => id === record.formId)?.name ?? record.formId,
    at: record.receivedAt,
    time: localTimeText(record.receivedAt, account.settings.timezone),
    marks: marks.filter((mark) => mark !== ''),
    state,
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
  return html`<p id="inbox-news" class="unseen" role="status"></p><ol class="inbox" id="inbox"${follows}>${rows.map(row)}</ol><template id="inbox-row">${row({ ...emptyRow, state: seesStates(call) ? 'new' : null })}</template>`
}

const emptyRow = { id: '', who: '', words: '', form: '', at: '', time: '', marks: [] }

const rowMarkup = (handle: string, row: InboxRow, mayWork: boolean): Markup => html`<li data-state="${row.state ?? ''}">
<a href="/a/${handle}/s/${row.id}"><span class="who">${row.state === 'new' ? html`<span class="unseen">New: </span>` : null}${captured(row.who)}</span> <span class="gist">${captured(row.words)}</span>
<span class="meta"><bdi class="form">${row.form}</bdi> · <time datetime="${row.at}">${row.time}</time><span class="marks">${row.marks.map((mark) => html` <span class="mark">${mark}</span>`)}</span></span></a>
${mayWork ? workForm(row) : null}</li>`

const workForm = ({ id, state, who }: InboxRow): Markup => {
  const [to, text] = state === 'done' ? ['seen', 'Reopen'] : ['done', 'Done']
  return html`<form method="post"><input type="hidden" name="do" value="${to}"><input type="hidden" name="submission" value="${id}"><button class="quiet">${text}<span class="unseen">: ${captured(who)}</span></button></form>`
}

const whoCharactersMax = 60
const wordsCharactersMax = 140
/** A shorter text is more likely an answer to a question than a message. */
const wordsCharactersMin = 12
const nameFields = ['name', 'fullname', 'full_name', 'your-name', 'firstname', 'first_name']

interface SubmissionSummary {
  who: string
  words: string
}

export function summaryOf({ fields, identity }: SubmissionRecord): SubmissionSummary {
  const who = nameIn(fields) ?? identity.email ?? 'Somebody'
  return {
    who: cut(onOneLine(capturedValue(who)), whoCharactersMax),
    words: cut(onOneLine(longestText(fields, identity.email)), wordsCharactersMax),
  }
}

function nameIn(fields: JsonObject): string | null {
  const byName = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]))
  for (const name of nameFields) {
    const value = byName.get(name)
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return null
}

function longestText(fields: JsonObject, email: string | null): string {
  const texts = Object.values(fields)
    .map(capturedValue)
    .filter((text) => text !== email && text.length >= wordsCharactersMin)
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** Tells clients why they see dots in place of names and texts. */
export const maskedNote = ({ view }: AccountPageCall): Markup | null =>
  view === 'masked'
    ? html`<p class="hint">Your role does not show what visitors entered. Ask the agency if you need to see it.</p>`
    : null
