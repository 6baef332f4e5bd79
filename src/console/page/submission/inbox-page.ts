import type { InboxRow } from '../../../client/console/inbox-row.ts'
import { html, type Markup } from '../../../lib/html.ts'
import {
  arrivedSubmissions,
  type ListedSubmissions,
  listSubmissions,
} from '../../../operations/submission/list-submissions.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { isStaff, permissionOn } from '../../access/permission.ts'
import { submissionCursor } from '../../api/submissions.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { type EventSource, eventStream, type LiveEvent } from '../../live/event-stream.ts'
import { leadsScriptPath } from '../../look/files.ts'
import { emptyState } from '../../look/notice.ts'
import { helpersIn } from '../../user/user.ts'
import { type AccountPage, type AccountPageCall, actsBy, may } from '../page.ts'
import { signedInUser } from '../page-http.ts'
import { accountGuide } from '../start/guides.ts'
import { localTime } from '../values.ts'
import { leadRows, leadsContent } from './client-leads.ts'
import { leadsCsvLink } from './inbox-csv.ts'
import {
  filtersIn,
  type InboxQuery,
  inboxFilters,
  inboxQuery,
  ownerOf,
  savedFilters,
  seesStates,
} from './inbox-filters.ts'
import { inboxActs } from './inbox-forms.ts'
import { inboxRows, inboxRowsOf, type Live } from './inbox-rows.ts'
import { emptyQuarantine, quarantineHint } from './quarantine.ts'

const shownMax = 50

/** `/a/ACCOUNT?status&state&form&q&cursor`: the account's submissions, latest first. */
export const inboxPage: AccountPage = {
  path: '/a/:account',
  link: { group: 'Leads', text: 'Inbox', icon: 'tray' },
  scope: 'read',
  clients: 'masked',
  async show(call, box) {
    const query = inboxQuery(call)
    // Before the list is read, so that no submission falls between the two.
    const live = query.behind === null ? await follow(call, box) : null
    const wanted = { account: call.account.handle, since: null, limit: shownMax, ...query }
    const found = await listSubmissions(box, wanted, () => {})
    if (!seesStates(call)) {
      const ask = call.view === 'masked' ? helpersIn(await box.users.list(), call.account.id) : []
      return leadsContent(call, found, { live, now: box.clock.now(), ask })
    }
    const rows = await inboxRowsOf(call, found.records, box)
    const saved = await box.savedFilters.of(ownerOf(call))
    const counts = await box.submissions.counts(call.account.id)
    return {
      title: titles[query.which],
      ways: rows.length === 0 && found.stopped === null ? null : leadsCsvLink(call),
      pane: 'list',
      script: leadsScriptPath,
      body: html`${inboxFilters(call, query, counts)}${savedFilters(call, saved)}${query.which === 'refused' && rows.length > 0 ? quarantineHint : null}${rows.length === 0 ? html`<div id="inbox-empty">${await emptyNote(call, box, found)}</div>` : null}${inboxRows(call, { rows, which: query.which, live, now: box.clock.now() })}${stoppedNote(call, found)}${olderWay(call, found)}${keysNote(call)}`,
    }
  },
  forms: { scope: 'release', chosen: actsBy('do', inboxActs) },
}

const titles = { accepted: 'Inbox', refused: 'Quarantine', all: 'All submissions' }

async function follow({ account, url }: AccountPageCall, { submissions }: ConsoleBox): Promise<Live> {
  const { cursor } = await submissions.arrived(account.id, null)
  return { path: `${url.pathname}/live?${filtersIn(url.searchParams)}`, after: cursor }
}

/** In place of rows, until one arrives. */
async function emptyNote(call: AccountPageCall, box: ConsoleBox, { stopped }: ListedSubmissions): Promise<Markup> {
  const { which, ...filters } = inboxQuery(call)
  if (filters.q ?? filters.form ?? filters.state)
    return html`<p>${stopped === null ? 'Nothing found.' : 'Nothing found yet.'}</p>`
  if (which === 'refused') return emptyQuarantine(call)
  return (await accountGuide(call, box)) ?? noLeads(call)
}

const noLeads = ({ account }: AccountPageCall): Markup =>
  emptyState(
    'No leads yet',
    'A lead appears here within a second of being sent.',
    html`<p><a class="button" href="/a/${account.handle}/forms">See the forms</a></p>`,
  )

/** The script continues the search from here by itself. */
const stoppedNote = ({ account, url }: AccountPageCall, { stopped, next }: ListedSubmissions): Markup | null =>
  stopped &&
  html`<p id="further" class="hint">Searched back to ${localTime(stopped.backTo, account.settings.timezone)} so far. <a href="${url.pathname}?${olderQuery(url, next)}">Search further</a></p>`

const olderQuery = (url: URL, next: ListedSubmissions['next']): string => {
  const older = filtersIn(url.searchParams)
  if (next !== null) older.set('cursor', submissionCursor(next) ?? '')
  return older.toString()
}

const olderWay = ({ url }: AccountPageCall, { next, stopped }: ListedSubmissions): Markup | null =>
  next === null || stopped !== null
    ? null
    : html`<p class="more" id="ways"><a class="button" id="older" href="${url.pathname}?${olderQuery(url, next)}">Older</a></p>`

const readersKeys: readonly (readonly [keys: string, what: string])[] = [
  ['j k', 'next and previous lead'],
  ['Enter', 'open'],
  ['u', 'back to the list'],
]
const workersKeys: typeof readersKeys = [
  ['e', 'mark as done'],
  ['m', 'mark as new'],
  ['r', 'refuse, or release from quarantine'],
  ['z', 'undo'],
  ['n', 'write a note; Ctrl and Enter save it'],
  ['x', 'select: e, m and r then do it to all that are selected'],
  ['a', 'select all, or none'],
]
const pagesKeys: typeof readersKeys = [
  ['/', 'search, in a list of a dozen or more'],
  ['?', 'show these keys'],
]

/** The script's keys, and a way to turn them off (WCAG 2.2, criterion 2.1.4). Only the script shows this. */
const keysNote = (
  call: AccountPageCall,
): Markup => html`<p class="keys"><button type="button" class="quiet" id="keys-open" hidden>Keys <kbd>?</kbd></button></p>
<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><table>${[
  ...readersKeys,
  ...(may(call, 'release') ? workersKeys : []),
  ...pagesKeys,
].map(
  ([keys, what]) =>
    html`<tr><th scope="row">${keys.split(' ').map((key) => html`<kbd>${key}</kbd> `)}</th><td>${what}</td></tr>`,
)}</table>
<label class="inline"><input type="checkbox" id="keys-on" checked> Use these keys</label>
<form method="dialog"><p class="do"><button>Close</button></p></form></dialog>`

/** The browser reopens a stream that ends after this time, just as it does when the console rests after 15 minutes. */
const streamMsMax = 10 * 60_000
/** How often the stream checks that the user still has access, besides before each submission. */
const askMs = 10_000

/** `/a/ACCOUNT/live?…&after`: sends the submissions that the inbox with these filters would show, as they arrive. */
export const livePage: AccountPage = {
  path: '/a/:account/live',
  scope: 'read',
  clients: 'masked',
  asksByItself: true,
  async show(call, box) {
    const query = inboxQuery(call)
    const isShown = query.state === undefined || query.state === 'new'
    const onEnd = isShown ? box.live.begin(call.caller.userId) : null
    // 204 tells the browser not to reconnect (HTML, section 9.2.3).
    if (onEnd === null) return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
    return eventStream({ look: newcomers(call, query, box), onEnd })
  },
}

function newcomers(call: AccountPageCall, query: InboxQuery, box: ConsoleBox): EventSource['look'] {
  const { account } = call
  const begunMs = box.clock.monotonicMs()
  let askedMs = begunMs
  let after = placeIn(call)
  return async () => {
    const nowMs = box.clock.monotonicMs()
    if (nowMs - begunMs >= streamMsMax) return null
    const { records, cursor } = await arrivedSubmissions(box, account, { ...query, after })
    if (records.length > 0 || nowMs - askedMs >= askMs) {
      if (!(await maySeeStill(call, box))) return null
      askedMs = nowMs
    }
    after = cursor
    const rows = await rowsNow(call, records, { query, box })
    return rows.map((data): LiveEvent => ({ name: 'lead', id: cursor, data }))
  }
}

/** Reads states anew: colleagues may have worked on a submission while nobody listened. */
async function rowsNow(
  call: AccountPageCall,
  records: readonly SubmissionRecord[],
  { query, box }: { query: InboxQuery; box: ConsoleBox },
): Promise<InboxRow[]> {
  if (!seesStates(call)) return leadRows(call, records, box.clock.now())
  const rows = await inboxRowsOf(call, records, box)
  return rows.filter(({ state }) => query.state === undefined || state === query.state)
}

/** Where the page or the previous stream stopped; `null`: now. */
function placeIn({ request, url }: AccountPageCall): string | null {
  const place = request.headers.get('last-event-id') ?? url.searchParams.get('after') ?? ''
  return /^\d{1,16}$/.test(place) ? place : null
}

async function maySeeStill(call: AccountPageCall, box: ConsoleBox): Promise<boolean> {
  const user = await signedInUser(call, box, { isUse: false })
  const account = await box.accounts.find(call.account.handle)
  if (user === null || account?.id !== call.account.id) return false
  return permissionOn(account.id, user, livePage) === call.view && isStaff(account.id, user) === seesStates(call)
}
