import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { listPersons } from '../../../operations/person/list-persons.ts'
import type { ListedPerson } from '../../../report/person-reader.ts'
import { instant } from '../../../report/record.ts'
import { cursorOf, numberIn } from '../../api/cursor.ts'
import { captured, capturedValue } from '../captured.ts'
import { listPage } from '../list-page.ts'
import { localTime } from '../local-time.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'

const nameTraits = ['name', 'fullname', 'full_name', 'firstname', 'first_name']

/** `/a/ACCOUNT/persons?q&cursor`: everybody known by an address, most recently known first. */
export const personsPage: AccountPage = {
  of: 'account',
  path: '/a/:account/persons',
  link: { group: 'Leads', text: 'Persons' },
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
    items: (persons, call) =>
      html`<ol class="inbox people" id="inbox">${persons.map((person) => item(call, person))}</ol>`,
    empty: html`<p>No persons yet. Everybody who sends a form with an email address appears here.</p>`,
    nothing: (isMore) =>
      isMore ? 'Nobody found among the persons searched so far. Choose “Earlier” to go on.' : 'Nobody found.',
    more: 'Earlier',
  }),
}

function item({ account }: AccountPageCall, { id, email, traits, submissions, lastSubmittedAt }: ListedPerson): Markup {
  const name = nameTraits.map((trait) => capturedValue(traits[trait])).find((text) => text !== '')
  const last =
    lastSubmittedAt === null ? null : html` · ${localTime(instant(lastSubmittedAt), account.settings.timezone)}`
  return html`<li><a href="/a/${account.handle}/persons/${id}"><span class="who">${captured(email)}</span> <span class="gist">${captured(name)}</span> <span class="meta">${plural(submissions, 'submission')}${last}</span></a></li>`
}
