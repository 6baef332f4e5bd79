import type { StoredAccount } from '../../../account/account.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { madeAt } from '../../../lib/id.ts'
import type { JsonObject } from '../../../lib/json-value.ts'
import { LocalDays } from '../../../lib/local-day.ts'
import { readMailAddress } from '../../../lib/mail-address.ts'
import { count } from '../../../lib/quantities.ts'
import { personNamed } from '../../../operations/person/person-named.ts'
import { listPersons, showPerson } from '../../../operations/person/show-person.ts'
import { phoneToCall } from '../../../operations/submission/personal-field.ts'
import type { KnownEntry } from '../../../report/export.ts'
import type { KnownPerson, ListedPerson } from '../../../report/person-reader.ts'
import { type SubmissionRecord, submissionRecord } from '../../../report/record.ts'
import { senderName } from '../../../report/sender-name.ts'
import { cursorOf, numberIn } from '../../api/list.ts'
import { personSubject } from '../../api/persons.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { emptyState } from '../../look/notice.ts'
import { backLink } from '../../look/shell.ts'
import { contactWays, mailHref, telHref } from '../contact.ts'
import { summaryOf } from '../lead-summary.ts'
import { listPage } from '../list-page.ts'
import { type AccountPage, type AccountPageCall, may } from '../page.ts'
import { captured, capturedValue, cut, type Fact, factsTable, hourTime, localDayTime, localTime } from '../values.ts'

/** `/a/ACCOUNT/persons?q&cursor`: everybody known by an address, most recently known first. */
export const personsPage: AccountPage = {
  path: '/a/:account/persons',
  link: { group: 'Leads', text: 'Persons', icon: 'person' },
  scope: 'read',
  noted: { action: 'person.list', subject: () => 'persons' },
  ...listPage<ListedPerson, AccountPageCall>({
    title: 'Persons',
    api: '/persons',
    shownMax: 50,
    async read({ account }, box, { limit, cursor, q }) {
      const wanted = { account: account.handle, limit, behind: numberIn(cursor), q }
      const { persons, next } = await listPersons(box, wanted, () => {})
      return { items: persons, next: cursorOf(next) }
    },
    columns: ({ account }) => [
      {
        head: 'Name',
        cell: (person) =>
          html`<a class="person" href="/a/${account.handle}/persons/${person.id}">${captured(listedName(person) ?? person.email)}</a>`,
      },
      { head: 'Email', kind: 'wrap', cell: (person) => (listedName(person) === null ? null : captured(person.email)) },
      {
        head: 'Leads',
        label: true,
        kind: 'number',
        cell: ({ submissions }) => (submissions === 1 ? html`<span class="one">1</span>` : count(submissions)),
      },
      {
        // The order of the list.
        head: 'Known since',
        label: true,
        kind: 'line',
        cell: ({ id }) => localDayTime(madeAt(id), account.settings.timezone),
      },
    ],
    empty: () =>
      emptyState(
        'No persons yet',
        'Whoever sends a form with an email address appears here, with what they did before and after.',
      ),
    nothing: (isMore) =>
      isMore ? 'Nobody found among the persons searched so far. Choose “Earlier” to go on.' : 'Nobody found.',
    hint: 'Name or email address',
    more: 'Earlier',
  }),
}

const listedName = ({ traits, sentName }: ListedPerson): string | null => senderName(traits) ?? sentName

const latestMax = 100
const devicesShownMax = 20

/** `/a/ACCOUNT/persons/PERSON`: what is known about a person, and their latest records. */
export const personPage: AccountPage = {
  path: '/a/:account/persons/:person',
  scope: 'read',
  noted: { action: 'person.read', subject: personSubject },
  async show(call, box) {
    const { account } = call
    const { email } = await personNamed(box, account, call.params.person ?? '')
    const { person, records, name } = await personShown(account, email, box)
    const isCut = person.submissions + person.events > records.length
    return {
      title: name === null ? person.email : capturedValue(name),
      back: backLink(`/a/${account.handle}/persons`, 'All persons'),
      body: html`${about(call, person, records)}<h2>What they did</h2>${isCut ? html`<p class="hint">Only the latest ${records.length} records are shown.</p>` : null}${wayList(call, records.toReversed())}${traitsPart(person)}${details(person)}${waysOn(call, person)}`,
    }
  },
}

/** The person of the address, with their latest records and the name that these give. @throws NotThere */
export async function personShown({ handle }: StoredAccount, email: string, box: ConsoleBox) {
  const { person, latest } = await showPerson(box, { account: handle, email }, () => {})
  const records = await latest(latestMax)
  return { person, records, name: nameOf(person, records) }
}

/** As their traits have it, or the latest of the records that has one. */
function nameOf({ traits }: KnownPerson, records: readonly KnownEntry[]): string | null {
  const sent = records.flatMap(({ entry }) => (entry.kind === 'submission' ? [senderName(entry.fields)] : []))
  return senderName(traits) ?? sent.findLast((name) => name !== null) ?? null
}

/** How to reach them, by the latest phone number that they gave, and what is known of them. */
function about({ account }: AccountPageCall, person: KnownPerson, records: readonly KnownEntry[]): Markup {
  const { email, firstSeenAt, lastSeenAt } = person
  const { timezone } = account.settings
  const given = records.flatMap(({ entry }) => (entry.kind === 'submission' ? [phoneToCall(entry.fields)] : []))
  const phone = given.findLast((number) => number !== null) ?? null
  const mail = readMailAddress(email)
  const ways = contactWays({ phone, mail }, { call: 'Call', write: 'Reply' })
  const time = (at: number | null) => (at === null ? 'no record is left' : localTime(at, timezone))
  const seen: Fact[] =
    firstSeenAt === lastSeenAt
      ? [['Last seen', time(lastSeenAt)]]
      : [
          ['First seen', time(firstSeenAt)],
          ['Last seen', time(lastSeenAt)],
        ]
  return html`${ways && html`<p class="do answer">${ways}</p>`}<div class="card">${factsTable([
    ['Email', mail === null ? captured(email) : html`<a href="${mailHref(mail)}">${captured(email)}</a>`],
    ...(phone === null ? [] : ([['Phone', html`<a href="${telHref(phone)}">${captured(phone)}</a>`]] satisfies Fact[])),
    ...seen,
    ...touchFacts(person, timezone),
    ...counted('Leads', person.submissions),
    ...counted('Views, events, clicks', person.events),
    ...counted('Devices', person.deviceIds.length),
  ])}</div>`
}

const counted = (name: string, times: number): Fact[] => (times === 0 ? [] : [[name, count(times)]])

const details = (person: KnownPerson): Markup =>
  html`<details><summary>Ids</summary>${factsTable([
    ['Person', html`<code class="wrap">${person.id}</code>`],
    ...(person.deviceIds.length === 0 ? [] : ([['Devices', devices(person)]] satisfies Fact[])),
  ])}</details>`

function devices({ deviceIds }: KnownPerson): Markup {
  const more = deviceIds.length - devicesShownMax
  const shown = deviceIds.slice(0, devicesShownMax).map((id) => html`<code class="wrap">${id}</code><br>`)
  return html`${shown}${more > 0 ? `and ${more} more` : null}`
}

function traitsPart({ traits }: KnownPerson): Markup | null {
  const facts = Object.entries(traits).map(([name, value]): Fact => [captured(name), captured(value)])
  return facts.length === 0 ? null : html`<h2>Traits</h2>${factsTable(facts)}`
}

/** Everything known about the person as a file, and the way to erase it. */
function waysOn({ account, caller }: AccountPageCall, { id }: KnownPerson): Markup {
  const erasure = may({ account, caller }, 'erase')
    ? html` <a class="grave" href="/a/${account.handle}/persons/${id}/erase">Erase this person …</a>`
    : null
  return html`<h2>Personal data</h2><p class="do"><a class="save" href="/api/v1/accounts/${account.handle}/persons/${id}" download="${id}.json">Download all data (JSON)</a>${erasure}</p>`
}

const detailCharactersMax = 120

/** Each with its time, the first of a day with the day too. */
export function wayList({ account }: AccountPageCall, records: readonly KnownEntry[]): Markup {
  const { timezone } = account.settings
  const days = new LocalDays()
  let day: number | null = null
  const steps = records.map(({ entry, facts }) => {
    const { kind, detail } = described({ entry, facts }, account)
    const own = days.of(entry.receivedAt, timezone)
    const time = own === day ? hourTime(entry.receivedAt, timezone) : localTime(entry.receivedAt, timezone)
    day = own
    return html`<li><span class="when meta">${time}</span> <strong>${kind}</strong> ${detail}</li>`
  })
  return html`<ol class="way">${steps}</ol>`
}

function described(
  { entry, facts }: KnownEntry,
  { handle, forms, settings: { goals, domains } }: AccountPageCall['account'],
): { kind: string; detail: Markup | null } {
  switch (entry.kind) {
    case 'submission': {
      const form = forms.find(({ id }) => id === entry.formId) ?? null
      const { words } = summaryOf(submissionRecord(entry, facts), form)
      const known = facts.submission
      const isRefused = known?.isRefused === true || (entry.status === 'refused' && known?.isReleased !== true)
      const isConfirmed = (known?.confirmedAt ?? null) !== null
      return {
        kind: isRefused ? 'Sent (refused)' : 'Sent',
        detail: html`<a href="/a/${handle}/s/${entry.id}">${form?.name ?? entry.formId}</a>${isConfirmed ? ' · confirmed by mail' : null}${words === '' ? null : html` <span class="soft">${captured(words)}</span>`}`,
      }
    }
    case 'page_view':
      return { kind: 'Opened', detail: html`${captured(`/${entry.slug}`)}${campaign(entry.attribution)}` }
    case 'click':
      return {
        kind: (facts.click?.verdict ?? entry.verdict) === 'machine' ? 'Clicked (machine)' : 'Clicked',
        detail: html`${entry.message === null ? null : html`in ${captured(entry.message)}, `}to ${captured(shortened(entry.url))}`,
      }
    case 'event': {
      const { place, others } = placeIn(entry.properties, domains)
      const goal = goals.find(({ aim }) => aim.kind === 'event' && aim.event === entry.event)
      return entry.event === '$pageview'
        ? { kind: 'Viewed', detail: captured(shortened(place || capturedValue(others.path ?? ''))) }
        : {
            kind: goal === undefined ? 'Event' : 'Goal',
            detail: html`${captured(goal?.name ?? entry.event)}${place === '' ? null : html` on ${captured(shortened(place))}`}${values(others)}`,
          }
    }
  }
}

/** Where an event came from; its host is told where it is not the account's first domain. With a `url` come its path and host (capture/event.ts). */
function placeIn(properties: JsonObject, [domain]: readonly string[]): { place: string; others: JsonObject } {
  const { url, path, host, ...others } = properties
  if (typeof url !== 'string' || !URL.canParse(url)) return { place: '', others: properties }
  const { hostname, pathname } = new URL(url)
  return { place: hostname === domain ? pathname : hostname + pathname, others }
}

const campaign = (attribution: Record<string, string>): Markup | null => {
  const { utm_source: source = '', utm_medium: medium = 'none', utm_campaign: name } = attribution
  const text = [source === '' ? '' : cameText(source, medium), name ? `campaign ${name}` : '']
    .filter(Boolean)
    .join(', ')
  return text === '' ? null : html` <span class="soft">from ${captured(shortened(text))}</span>`
}

const values = (properties: JsonObject): Markup | null => {
  const text = Object.entries(properties)
    .map(([name, value]) => `${name}: ${capturedValue(value)}`)
    .join(', ')
  return text === '' ? null : html` <span class="soft">${captured(shortened(text))}</span>`
}

const shortened = (text: string): string => cut(text, detailCharactersMax)

export const touchFacts = ({ first, last }: SubmissionRecord['attribution'], timezone: string): Fact[] =>
  first?.at === last?.at
    ? [['Came from', touchText(last, timezone)]]
    : [
        ['First came from', touchText(first, timezone)],
        ['Last came from', touchText(last, timezone)],
      ]

const byMedium = new Map([
  ['email', 'by email'],
  ['organic', 'by search'],
  ['social', 'by social media'],
  ['cpc', 'by advert'],
  ['referral', 'by a link'],
])

/** `Direct`; `newsletter, by email` */
const cameText = (source: string, medium: string): string =>
  source === 'direct' ? 'Direct' : medium === 'none' ? source : `${source}, ${byMedium.get(medium) ?? medium}`

function touchText(touch: SubmissionRecord['attribution']['last'], timezone: string): Markup | string {
  if (touch === null) return 'Unknown'
  const { source, medium, campaign, term, content, referrer, at } = touch
  const more: [string, string | null][] = [
    ['campaign', campaign],
    ['term', term],
    ['content', content],
    ['referred by', referrer],
  ]
  const parts = more.flatMap(([name, value]) => (value === null ? [] : [html`, ${name} ${captured(value)}`]))
  return html`${captured(cameText(source, medium))}${parts} <span class="soft">${localTime(at, timezone)}</span>`
}
