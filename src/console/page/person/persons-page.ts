import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { listPersons } from '../../../operations/person/list-persons.ts'
import { instant } from '../../../report/instant.ts'
import type { ListedPerson } from '../../../report/person-reader.ts'
import { cursorOf, numberIn } from '../../api/cursor.ts'
import { captured, capturedValue } from '../captured.ts'
import { askedOf, listWays, searchForm } from '../list-parts.ts'
import { localTime } from '../local-time.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'

const shownMax = 50
const nameTraits = ['name', 'fullname', 'full_name', 'firstname', 'first_name']

/** `/a/ACCOUNT/persons?q&cursor`: everybody known by an address, most recently known first. */
export const personsPage: AccountPage = {
  of: 'account',
  path: '/a/:account/persons',
  link: { group: 'Leads', text: 'Persons' },
  scope: 'read',
  noted: { action: 'person.list', subject: () => 'persons' },
  async show(call, box) {
    const { account, url } = call
    const { cursor, q, limit } = askedOf(url, shownMax)
    const wanted = { account: account.handle, limit, behind: numberIn(cursor), q }
    const { persons, next } = await listPersons(box, wanted, () => {})
    const list = persons.length === 0 ? emptyNote(q, next) : personList(call, persons)
    const api = `/accounts/${account.handle}/persons`
    const ways = listWays(url, { api, next: cursorOf(next), word: 'Earlier', asked: { q } })
    return { title: 'Persons', body: html`${searchForm(q)}${list}${ways}` }
  },
}

function emptyNote(q: string | undefined, next: string | null): Markup {
  if (q === undefined)
    return html`<p>No persons yet. Everybody who sends a form with an email address appears here.</p>`
  return next === null
    ? html`<p>Nobody found.</p>`
    : html`<p>Nobody found among the persons searched so far. Choose “Earlier” to go on.</p>`
}

const personList = (call: AccountPageCall, persons: readonly ListedPerson[]): Markup =>
  html`<ol class="inbox people" id="inbox">${persons.map((person) => item(call, person))}</ol>`

function item({ account }: AccountPageCall, { id, email, traits, submissions, lastSubmittedAt }: ListedPerson): Markup {
  const name = nameTraits.map((trait) => capturedValue(traits[trait])).find((text) => text !== '')
  const last =
    lastSubmittedAt === null ? null : html` · ${localTime(instant(lastSubmittedAt), account.settings.timezone)}`
  return html`<li><a href="/a/${account.handle}/persons/${id}"><span class="who">${captured(email)}</span> <span class="gist">${captured(name)}</span> <span class="meta">${plural(submissions, 'submission')}${last}</span></a></li>`
}
