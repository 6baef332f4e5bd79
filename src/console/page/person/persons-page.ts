import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { listPersons } from '../../../operations/person/list-persons.ts'
import { instant } from '../../../report/instant.ts'
import type { ListedPerson } from '../../../report/person-reader.ts'
import { personCursor, personPlace } from '../../api/person/person-cursor.ts'
import { captured, capturedText } from '../captured.ts'
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
  clients: 'nothing',
  noted: { action: 'person.list', subject: () => 'persons' },
  async show(call, box) {
    const { account, url } = call
    const cursor = url.searchParams.get('cursor')
    const q = url.searchParams.get('q') || undefined
    const behind = cursor === null ? null : personPlace(cursor)
    const found = await listPersons(box, { account: account.handle, limit: shownMax, behind, q }, () => {})
    const list = found.persons.length === 0 ? emptyNote(q, found.next) : personList(call, found.persons)
    return { title: 'Persons', body: html`${search(q)}${list}${ways(call, { q, next: personCursor(found.next) })}` }
  },
}

const search = (q: string | undefined): Markup =>
  html`<form class="filters" method="get" role="search"><span class="pair wide"><label for="q">Search</label><input id="q" name="q" type="search" value="${q ?? ''}" maxlength="200"></span><button>Show</button></form>`

function emptyNote(q: string | undefined, next: string | null): Markup {
  if (q === undefined)
    return html`<p>No persons yet. Everybody who sends a form with an email address appears here.</p>`
  return next === null
    ? html`<p>Nobody found.</p>`
    : html`<p>Nobody found among the persons searched so far. Choose “Earlier” to go on.</p>`
}

const personList = (call: AccountPageCall, persons: readonly ListedPerson[]): Markup =>
  html`<ol class="inbox" id="inbox">${persons.map((person) => item(call, person))}</ol>`

function item({ account }: AccountPageCall, { id, email, traits, submissions, lastSubmittedAt }: ListedPerson): Markup {
  const name = nameTraits.map((trait) => capturedText(traits[trait])).find((text) => text !== '')
  const last =
    lastSubmittedAt === null ? null : html` · ${localTime(instant(lastSubmittedAt), account.settings.timezone)}`
  return html`<li><a href="/a/${account.handle}/persons/${id}"><span class="who">${captured(email)}</span> <span class="gist">${captured(name)}</span> <span class="meta">${plural(submissions, 'submission')}${last}</span></a></li>`
}

function ways({ account, url }: AccountPageCall, { q, next }: { q: string | undefined; next: string | null }): Markup {
  const asked = q === undefined ? {} : { q }
  const older = next === null ? null : new URLSearchParams({ ...asked, cursor: next })
  const csv = new URLSearchParams({ ...asked, format: 'csv', limit: '1000' })
  return html`<p class="more">${older === null ? null : html`<a class="button" href="${url.pathname}?${older.toString()}">Earlier</a> `}<a href="/api/v1/accounts/${account.handle}/persons?${csv.toString()}">As CSV</a></p>`
}
