import { html, type Markup } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { type ListedSubmissions, listSubmissions } from '../../../operations/submission/list-submissions.ts'
import { maskedSubmission } from '../../access/masked.ts'
import { placeText } from '../../api/submission/submission-cursor.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { chosenByState } from '../../inbox/chosen-by-state.ts'
import { localTime } from '../local-time.ts'
import { type AccountPage, type AccountPageCall, actsBy } from '../page.ts'
import { accountGuide } from '../start/account-guide.ts'
import { ownerOf } from './filters-page.ts'
import { rowActs } from './inbox-acts.ts'
import { inboxFilters, savedFilters } from './inbox-filters.ts'
import { filtersIn, inboxQuery, seesStates } from './inbox-query.ts'
import { type InboxRow, inboxRow, inboxRows, type Live } from './inbox-rows.ts'
import { keysNote } from './keys-note.ts'

const shownMax = 50

/** `/a/ACCOUNT?status&state&form&q&cursor`: what visitors have sent, latest first. */
export const inboxPage: AccountPage = {
  of: 'account',
  path: '/a/:account',
  link: { group: 'Leads', text: 'Inbox' },
  scope: 'read',
  clients: 'masked',
  async show(call, box) {
    const query = inboxQuery(call)
    // Before the list is read, so that none is missed between them.
    const live = query.behind === null ? await follow(call, box) : null
    const shown = call.view === 'masked' ? { shown: maskedSubmission } : {}
    const wanted = { account: call.account.handle, since: null, limit: shownMax, ...query, ...shown }
    const chosen = chosenByState(box, call.account.id, query.state)
    const found = await listSubmissions(box, { ...wanted, ...chosen }, () => {})
    const rows = await rowsOf(call, box, found)
    const saved = await box.savedFilters.of(ownerOf(call))
    return {
      title: 'Inbox',
      body: html`${inboxFilters(call, query)}${savedFilters(call, saved)}${rows.length === 0 ? html`${emptyNote(call)}${await accountGuide(call, box)}` : null}${inboxRows(call, rows, live)}${stoppedNote(call, found)}${ways(call, found)}${live === null ? null : keysNote(call)}`,
    }
  },
  forms: { scope: 'release', clients: 'nothing', chosen: actsBy('do', rowActs) },
}

async function follow({ account, url }: AccountPageCall, { submissions }: ConsoleBox): Promise<Live> {
  const { cursor } = await submissions.arrived(account.id, null)
  return { path: `${url.pathname}/live?${filtersIn(url.searchParams)}`, after: cursor }
}

async function rowsOf(call: AccountPageCall, box: ConsoleBox, { records }: ListedSubmissions): Promise<InboxRow[]> {
  if (!seesStates(call)) return records.map((record) => inboxRow(call, record, null))
  const states = await box.inboxStates.of(
    call.account.id,
    records.map(({ submissionId }) => submissionId),
  )
  return records.map((record) => inboxRow(call, record, states.get(record.submissionId)?.state ?? 'new'))
}

const emptyNote = ({ url }: AccountPageCall): Markup =>
  ['q', 'form', 'state'].some((name) => url.searchParams.get(name))
    ? html`<p id="inbox-empty">Nothing found among what was looked through.</p>`
    : html`<p id="inbox-empty">Nothing here yet. What visitors send appears within a second.</p>`

const stoppedNote = ({ account }: AccountPageCall, { stopped }: ListedSubmissions): Markup | null =>
  stopped &&
  html`<p class="hint">Looked through ${count(stopped.looked)} submissions, back to ${localTime(new Date(stopped.backTo).toISOString(), account.settings.timezone)}. “Older” looks further.</p>`

function ways({ account, url }: AccountPageCall, { next }: ListedSubmissions): Markup {
  const csv = filtersIn(url.searchParams)
  if (!csv.has('status')) csv.set('status', 'accepted')
  csv.set('format', 'csv')
  csv.set('limit', '1000')
  const older = filtersIn(url.searchParams)
  if (next !== null) older.set('cursor', placeText(next))
  return html`<p class="more">${next === null ? null : html`<a class="button" href="${url.pathname}?${older.toString()}">Older</a> `}<a href="/api/v1/accounts/${account.handle}/submissions?${csv.toString()}">As CSV</a></p>`
}
