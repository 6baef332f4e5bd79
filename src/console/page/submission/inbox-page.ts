import { html, type Markup } from '../../../lib/html.ts'
import { NotThere } from '../../../lib/operator-error.ts'
import { type ListedSubmissions, listSubmissions } from '../../../operations/submission/list-submissions.ts'
import { maskedSubmission } from '../../access/masked.ts'
import { submissionCursor } from '../../api/submission/submission-cursor.ts'
import { actorOf } from '../../audit/noted-act.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { InboxState } from '../../inbox/inbox-state.ts'
import { listWays } from '../list-page.ts'
import { localTime } from '../local-time.ts'
import { may } from '../may.ts'
import { type AccountPage, type AccountPageCall, actsBy, type PageAct } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { accountGuide } from '../start/guides.ts'
import { filtersIn, inboxFilters, inboxQuery, ownerOf, savedFilters } from './inbox-filters.ts'
import { inboxRows, inboxRowsOf, type Live, maskedNote } from './inbox-rows.ts'

const stateSaid: Record<InboxState, string> = { new: 'Marked as new.', seen: 'Reopened.', done: 'Marked as done.' }

/** Sets a submission's state. @param to the next page */
export const setsState = (
  state: InboxState,
  { submission, to }: Record<'submission' | 'to', (call: AccountPageCall) => string>,
): PageAct<AccountPageCall> => ({
  noted: { action: 'submission.state', subject: submission },
  async run(call, box) {
    const given = { state, at: box.clock.now(), by: actorOf(call.caller) }
    if (!(await box.inboxStates.set(call.account.id, submission(call), given)))
      throw new NotThere('There is no such submission.')
    return { answer: seeOther(to(call)), notice: stateSaid[state] }
  },
})

const ofRow = {
  submission: ({ fields }: AccountPageCall) => fields.get('submission') ?? '',
  to: ({ url }: AccountPageCall) => url.pathname + url.search,
}

const rowActs = { done: setsState('done', ofRow), seen: setsState('seen', ofRow) }

const shownMax = 50

/** `/a/ACCOUNT?status&state&form&q&cursor`: the account's submissions, latest first. */
export const inboxPage: AccountPage = {
  of: 'account',
  path: '/a/:account',
  link: { group: 'Leads', text: 'Inbox' },
  scope: 'read',
  clients: 'masked',
  async show(call, box) {
    const query = inboxQuery(call)
    // Before the list is read, so that no submission falls between the two.
    const live = query.behind === null ? await follow(call, box) : null
    const shown = call.view === 'masked' ? { shown: maskedSubmission } : {}
    const wanted = { account: call.account.handle, since: null, limit: shownMax, ...query, ...shown }
    const found = await listSubmissions(box, wanted, () => {})
    const rows = await inboxRowsOf(call, found.records, box)
    const saved = await box.savedFilters.of(ownerOf(call))
    return {
      title: 'Inbox',
      body: html`${inboxFilters(call, query)}${savedFilters(call, saved)}${rows.length > 0 ? maskedNote(call) : null}${rows.length === 0 ? html`${emptyNote(call, found)}${await accountGuide(call, box)}` : null}${inboxRows(call, rows, live)}${stoppedNote(call, found)}${ways(call, found)}${live === null ? null : keysNote(call)}`,
    }
  },
  forms: { scope: 'release', chosen: actsBy('do', rowActs) },
}

async function follow({ account, url }: AccountPageCall, { submissions }: ConsoleBox): Promise<Live> {
  const { cursor } = await submissions.arrived(account.id, null)
  return { path: `${url.pathname}/live?${filtersIn(url.searchParams)}`, after: cursor }
}

const emptyNote = ({ url }: AccountPageCall, { stopped }: ListedSubmissions): Markup =>
  ['q', 'form', 'state'].some((name) => url.searchParams.get(name))
    ? html`<p id="inbox-empty">${stopped === null ? 'Nothing found.' : 'Nothing found yet.'}</p>`
    : html`<p id="inbox-empty">Nothing here yet. New submissions appear within a second.</p>`

/** The script continues the search from here by itself. */
const stoppedNote = ({ account, url }: AccountPageCall, { stopped, next }: ListedSubmissions): Markup | null =>
  stopped &&
  html`<p id="further" class="hint">Searched back to ${localTime(new Date(stopped.backTo).toISOString(), account.settings.timezone)} so far. <a href="${url.pathname}?${olderQuery(url, next)}">Search further</a></p>`

const olderQuery = (url: URL, next: ListedSubmissions['next']): string => {
  const older = filtersIn(url.searchParams)
  if (next !== null) older.set('cursor', submissionCursor(next) ?? '')
  return older.toString()
}

const ways = ({ account, url }: AccountPageCall, { next, stopped }: ListedSubmissions): Markup =>
  listWays(url, {
    api: `/accounts/${account.handle}/submissions`,
    next: stopped === null ? submissionCursor(next) : null,
    word: 'Older',
    asked: { status: 'accepted', ...Object.fromEntries(filtersIn(url.searchParams)) },
  })

/** The script's keys, and a way to turn them off (WCAG 2.2, criterion 2.1.4). Only the script shows this. */
const keysNote = (call: AccountPageCall): Markup => html`<details id="keys" class="keys" hidden><summary>Keys</summary>
<ul class="plain"><li><kbd>j</kbd> <kbd>k</kbd> next, previous</li><li><kbd>Enter</kbd> open</li>${
  may(call, 'release') ? html`<li><kbd>e</kbd> mark as done</li>` : null
}<li><kbd>/</kbd> search</li><li><kbd>?</kbd> show these keys</li></ul>
<label class="inline"><input type="checkbox" id="keys-on" checked> Use these keys</label></details>`
