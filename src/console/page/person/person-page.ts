import { html, type Markup } from '../../../lib/html.ts'
import { personNamed } from '../../../operations/person/person-named.ts'
import { showPerson } from '../../../operations/person/show-person.ts'
import { instant } from '../../../report/instant.ts'
import type { KnownPerson } from '../../../report/person-reader.ts'
import { personSubject } from '../../api/person/person-subject.ts'
import { captured } from '../captured.ts'
import { type Fact, factsTable } from '../facts-table.ts'
import { wayList } from '../known-entry.ts'
import { localTime } from '../local-time.ts'
import { may } from '../may.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'
import { touchFacts } from '../touch-facts.ts'

const latestMax = 100
const devicesShownMax = 20

/** `/a/ACCOUNT/persons/PERSON`: what is known about a person, and their latest records. */
export const personPage: AccountPage = {
  of: 'account',
  path: '/a/:account/persons/:person',
  scope: 'read',
  noted: { action: 'person.read', subject: personSubject },
  async show(call, box) {
    const { account } = call
    const { email } = await personNamed(box, account, call.params.person ?? '')
    const { person, latest } = await showPerson(box, { account: account.handle, email }, () => {})
    const records = await latest(latestMax)
    const isCut = person.submissions + person.events > records.length
    return {
      title: person.email,
      body: html`${about(call, person)}${traitsPart(person)}<h2>What they did</h2>${isCut ? html`<p class="hint">Only the latest ${records.length} records are shown.</p>` : null}${wayList(call, records)}${waysOn(call, person)}`,
    }
  },
}

function about({ account }: AccountPageCall, person: KnownPerson): Markup {
  const { timezone } = account.settings
  const time = (at: number | null) => (at === null ? 'no record is left' : localTime(instant(at), timezone))
  return factsTable([
    ['First seen', time(person.firstSeenAt)],
    ['Last seen', time(person.lastSeenAt)],
    ...touchFacts(person, timezone),
    ['Submissions', String(person.submissions)],
    ['Page views, events and clicks', String(person.events)],
    ['Devices', devices(person)],
    ['Person', html`<code class="wrap">${person.id}</code>`],
  ])
}

function devices({ deviceIds }: KnownPerson): Markup | string {
  if (deviceIds.length === 0) return 'none: the requests had no identity cookie'
  const more = deviceIds.length - devicesShownMax
  const shown = deviceIds.slice(0, devicesShownMax).map((id) => html`<code class="wrap">${id}</code><br>`)
  return html`${shown}${more > 0 ? `and ${more} more` : null}`
}

function traitsPart({ traits }: KnownPerson): Markup | null {
  const facts = Object.entries(traits).map(([name, value]): Fact => [captured(name), captured(value)])
  return facts.length === 0 ? null : html`<h2>Traits</h2>${factsTable(facts)}`
}

/** Everything as a file, and a link to the erasure for users who may erase. */
function waysOn({ account, caller }: AccountPageCall, { id }: KnownPerson): Markup {
  const erasure = may({ account, caller }, 'erase')
    ? html` · <a href="/a/${account.handle}/persons/${id}/erase">Erase this person …</a>`
    : null
  return html`<p class="more"><a href="/api/v1/accounts/${account.handle}/persons/${id}" download="${id}.json">Everything as JSON</a>${erasure}</p>`
}
