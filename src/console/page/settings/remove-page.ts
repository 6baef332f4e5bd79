import { contentNames } from '../../../account/account-store.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { type AccountContents, accountContents, removeAccount } from '../../../operations/account/remove-account.ts'
import { countedMax } from '../../../report/submission-reader.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { described, type FieldFault, faultLine } from '../../look/fields.ts'
import type { PageContent } from '../../page-content.ts'
import { colleaguesIn } from '../../user/user.ts'
import { actForm, FormRefusal, fieldFault } from '../act-form.ts'
import { csvLink } from '../list-page.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'
import { seeOther } from '../page-http.ts'
import { type Fact, factsTable } from '../values.ts'

/** `/a/ACCOUNT/remove`: shows what a removal deletes, and removes the account once its handle was typed. For owners of the box. */
export const removePage: AccountPage = {
  path: '/a/:account/remove',
  within: '/a/:account/settings',
  scope: 'admin',
  ownersOnly: true,
  asksAgain: true,
  show: content,
  forms: {
    scope: 'admin',
    chosen: () => remove,
  },
}

const remove = actForm(removeAccount, {
  input({ account: { handle }, fields }) {
    if (fields.get('handle') !== handle)
      throw new FormRefusal('This is not the account’s handle. Nothing was removed.', 422, 'handle')
    return {}
  },
  shown: () => ({ answer: seeOther('/'), notice: 'The account is removed.' }),
})

async function content(call: AccountPageCall, box: ConsoleBox): Promise<PageContent> {
  const { id, handle } = call.account
  const contents = await accountContents(box, handle, recordsMax)
  const leads = await box.submissions.counts(id)
  const users = colleaguesIn(await box.users.list(), id)
  return {
    title: `Remove ${call.account.settings.name}`,
    body: html`<p>Its pages and forms go offline at once. The following is deleted, and only a backup brings it back:</p>
${factsTable([
  ...contentFacts(contents),
  ['Of these, leads', countUpTo(leads.accepted, countedMax)],
  ['In quarantine', countUpTo(leads.refused, countedMax)],
  ['Users', usersText(users.length)],
])}
<p>Take with you what you may need: <a class="save" href="/a/${handle}/leads.csv">Leads as CSV</a> ${csvLink(`/accounts/${handle}/persons`, { text: 'Persons as CSV' })}</p>${removeForm(contents, fieldFault(call))}`,
  }
}

/** Counting millions would take longer than a page may. */
const recordsMax = 100_000

const contentFacts = ({ domains, ...counts }: AccountContents): Fact[] => [
  ['Domains', domains.join(', ')],
  ...contentNames.map(
    (name): Fact => [name.charAt(0).toUpperCase() + name.slice(1), countUpTo(counts[name], recordsMax)],
  ),
]

const countUpTo = (number: number, max: number): string => (number < max ? count(number) : `${count(max)} or more`)

const usersText = (number: number): string =>
  number === 0 ? 'none' : `${count(number)}, who lose their access to the account`

const removeForm = (
  { account }: AccountContents,
  fault: FieldFault | null,
): Markup => html`<form class="narrow" method="post">
<label for="handle">To confirm, type the handle <code>${account}</code></label>
<input id="handle" name="handle" required autocomplete="off" autocapitalize="off" spellcheck="false"${described('handle', fault)}>${faultLine('handle', fault)}
<p class="do"><button class="danger">Remove the account</button> <a href="/a/${account}/settings">Keep the account</a></p></form>`
