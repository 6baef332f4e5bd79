import type { StoredAccount } from '../../../account/account.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { type DeliveryJson, deliveryJson, pageOfDeliveries } from '../../../operations/delivery/deliveries.ts'
import { type ListedDestination, listDestinations } from '../../../operations/delivery/destinations.ts'
import { sendersOf } from '../../../operations/submission/senders.ts'
import { cursorOf, numberIn } from '../../api/list.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { TableColumn } from '../../look/table.ts'
import type { PageContent } from '../../page-content.ts'
import { csvLink, type ShownList, shownList } from '../list-page.ts'
import { type AccountPage, type AccountPageCall, actsBy, may } from '../page.ts'
import { changeableText, changeForm } from '../site-toml-change.ts'
import { settingsAt } from '../site-toml-line.ts'
import { cut, shortTime } from '../values.ts'
import { backfillAct, backfillContent } from './backfill.ts'
import { backToAll } from './delivery-page.ts'
import { destinationTitle, leadName, nextTry, reason, shortReason, stateMark, waitsForMail } from './delivery-state.ts'
import {
  type CardNote,
  destinationActs,
  destinationCards,
  getsLeads,
  isWaitingForMail,
  whyNot,
} from './destinations.ts'

/** `/a/ACCOUNT/deliveries?state&q&cursor`: the destinations with their state, and each delivery. */
export const deliveriesPage: AccountPage = {
  path: '/a/:account/deliveries',
  link: { group: 'Setup', text: 'Deliveries', icon: 'plane' },
  scope: 'read',
  show: async (call, box) =>
    (await backfillContent(call, box)) ?? (await addingContent(call, box)) ?? content(call, box, null),
  forms: { scope: 'admin', chosen: actsBy('act', { ...destinationActs(content), backfill: backfillAct }) },
}

const adding = 'Add an email address'

/** `?new=1`: the field for another address. */
async function addingContent(call: AccountPageCall, box: ConsoleBox): Promise<PageContent | null> {
  if (!call.url.searchParams.has('new') || !may(call, 'admin') || (await changeableText(call, box)) === null)
    return null
  return { title: adding, back: backToAll(call.account), body: addingForm(call.account.handle, 'sheet') }
}

const addingForm = (handle: string, look: 'sheet' | null = null): Markup =>
  changeForm(
    handle,
    'mail',
    html`<div class="of-email"><label for="mail">Email address for leads</label>
<input id="mail" name="value" type="email" multiple required maxlength="1000" autocomplete="off" placeholder="sales@example.com"></div>
<p class="do"><button>${adding}</button> <span class="hint">You review the changes first. Webhooks and chats are added in <a href="${settingsAt(handle, 'end')}">site.toml</a>.</span></p>`,
    look,
  )

/** Where a destination is added; `null`: not by this reader. @param isFirst the field itself */
async function addingWay(call: AccountPageCall, box: ConsoleBox, isFirst: boolean): Promise<Markup | null> {
  const { handle } = call.account
  // A new receiver of visitors' data is an admin's to add.
  if (!may(call, 'admin')) return null
  const way = (href: string, text: string) => html`<a class="button" href="${href}">${text}</a>`
  if ((await changeableText(call, box)) === null) return way(settingsAt(handle, 'end'), 'Add in Settings')
  return isFirst ? addingForm(handle) : way('?new=1', adding)
}

/** @param note the result of a test, or a new secret that no other page shows */
async function content(call: AccountPageCall, box: ConsoleBox, note: CardNote | null): Promise<PageContent> {
  const { handle, settings } = call.account
  const destinations = await listDestinations(box, handle)
  const list = await shownList(deliveriesList(destinations, box), call, box)
  const isFirst = destinations.length === 0
  const way = await addingWay(call, box, isFirst)
  const shown = {
    adding: way,
    account: call.account,
    timezone: settings.timezone,
    reader: call.caller,
    now: box.clock.now(),
    reasons: latestReasons(list.items),
    isActed: may(call, 'admin'),
    note,
  }
  return {
    body: html`${destinationCards(destinations, shown)}
${list.body}`,
    ways: isFirst ? null : html`${way} ${csvLink(`/accounts/${handle}/destinations`, { text: 'Destinations as CSV' })}`,
  }
}

/** Why the latest delivery to a destination that was tried in vain failed, as far as the page of the log shows any. */
function latestReasons(logged: readonly LoggedDelivery[]): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>()
  for (const { destination, state, lastError } of logged)
    if (state !== 'delivered' && lastError !== null && !reasons.has(destination))
      reasons.set(destination, cut(shortReason(lastError).replace(/\.$/, ''), errorCharactersMax))
  return reasons
}

const states = ['waiting', 'failed', 'delivered'] as const

/** A delivery as the log has it. */
interface LoggedDelivery extends DeliveryJson {
  /** Whose lead it is; `null`: a report, or the lead does not say. */
  who: string | null
}

const deliveriesList = (
  destinations: readonly ListedDestination[],
  around: Around,
): ShownList<LoggedDelivery, AccountPageCall> => ({
  title: 'Deliveries',
  heading: 'Log',
  api: '/deliveries',
  shownMax: 50,
  filter: {
    label: 'Which deliveries',
    name: 'state',
    choices: [
      ['all', 'All'],
      ['waiting', 'Waiting or retrying'],
      ['failed', 'Failed'],
      ['delivered', 'Delivered'],
    ],
  },
  async read({ account, caller }, box, { limit, cursor, q = null }, chosen) {
    const state = states.find((name) => name === chosen) ?? null
    const wanted = { account: account.handle, limit, state, q, behind: numberIn(cursor) }
    const { deliveries, next } = await pageOfDeliveries(box, wanted, () => {})
    const ids = deliveries.flatMap(({ submissionId }) => submissionId ?? [])
    const senders = await sendersOf(box, account.id, ids)
    const items = deliveries.map(deliveryJson).map((delivery) => ({
      ...delivery,
      lastError: whyNot(delivery, box, caller),
      who: senders.get(delivery.submissionId ?? '') ?? null,
    }))
    return { items, next: cursorOf(next) }
  },
  columns: ({ account }) => columns(account, around),
  empty: () =>
    destinations.length === 0
      ? null
      : html`<p>Nothing has been sent yet.${destinations.some(isSending) ? ' Each new lead is sent within seconds.' : null}</p>`,
  nothing: (isMore) => (isMore ? 'Nothing found in the deliveries searched so far.' : 'Nothing found.'),
  hint: 'Destination, error or id',
  more: 'Older',
})

const isSending = ({ kind, obstacle, paused }: ListedDestination): boolean =>
  obstacle === null && !paused && getsLeads(kind)

type Around = Pick<ConsoleBox, 'clock' | 'config'>

const columns = ({ handle, settings, forms }: StoredAccount, around: Around): TableColumn<LoggedDelivery>[] => [
  {
    head: 'Lead',
    cell: ({ id, submissionId, who, destination, createdAt }) =>
      html`<a href="/a/${handle}/deliveries/${id}">${submissionId === null ? 'Report' : leadName(who)}<span class="unseen"> to ${destinationTitle(destination, forms)}</span></a> <span class="hint">${shortTime(createdAt, settings.timezone, around.clock.now())}</span>`,
  },
  { head: 'To', kind: 'line', cell: ({ destination }) => destinationTitle(destination, forms) },
  { head: 'State', cell: (delivery) => logState(delivery, settings.timezone, around) },
]

/** The delivery's own page shows the full error. */
const errorCharactersMax = 100

/** The state with what explains it, on one line. */
function logState(delivery: DeliveryJson, timezone: string, around: Around): Markup {
  const { attempts, lastError } = delivery
  if (isWaitingForMail(delivery, around)) return waitsForMail
  const parts = [
    nextTry(delivery, timezone, around.clock.now()),
    attempts < 2 ? null : plural(attempts, 'try', 'tries'),
    lastError === null ? null : reason(cut(shortReason(lastError), errorCharactersMax)),
  ].filter((part) => part !== null)
  const why = parts.map((part, place) => html`${place === 0 ? null : ' · '}${part}`)
  return html`${stateMark(delivery)}${why.length === 0 ? null : html` <span class="soft">${why}</span>`}`
}
