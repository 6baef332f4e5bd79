import { contentNames } from '../../../account/account-store.ts'
import { capitalised } from '../../../lib/capitalised.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { type AccountContents, accountContents, removeAccount } from '../../../operations/account/remove-account.ts'
import { missingBackup } from '../../../operations/doctor/backup.ts'
import { countedMax } from '../../../report/submission-reader.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { described, type FieldFault, faultLine } from '../../look/fields.ts'
import { backLink } from '../../look/shell.ts'
import type { PageContent } from '../../page-content.ts'
import { colleaguesIn } from '../../user/user.ts'
import { actForm, FormRefusal, fieldFault } from '../act-form.ts'
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
    title: `Remove ${call.account.settings.name}?`,
    back: backLink(`/a/${handle}/settings`, 'Settings'),
    body: html`<p>Its pages and forms go offline at once, and all of this is removed. ${missingBackup(box.config).length === 0 ? 'Only a backup brings it back.' : html`<strong class="fault">This box makes no backups: nothing brings it back.</strong>`}</p>
<div class="card">${factsTable([
      ...counted(
        [contents.records, 'Records', recordsMax],
        [leads.accepted, 'Of these, leads', countedMax],
        [leads.refused, 'In quarantine', countedMax],
        ...contentsShown.map((name): Counted => [contents[name], capitalised(name), recordsMax]),
      ),
      ['Domains', contents.domains.join(', ')],
      ...(users.length === 0
        ? []
        : [['Users', `${count(users.length)}, who lose their access to the account`] as const]),
    ])}</div>
<p>Save a copy first:</p><p class="do"><a class="button" href="/a/${handle}/leads.csv"><span class="save">Leads as CSV</span></a> <a class="button" href="/api/v1/accounts/${handle}/persons?format=csv&limit=1000"><span class="save">Persons as CSV</span></a></p>${removeForm(contents, fieldFault(call))}`,
  }
}

/** Counting millions would take longer than a page may. */
const recordsMax = 100_000

type Counted = readonly [number: number, name: string, max: number]

const contentsShown = contentNames.filter((name) => name !== 'records')

/** What there is none of is left out. */
const counted = (...all: Counted[]): Fact[] =>
  all.flatMap(([number, name, max]) =>
    number === 0 ? [] : [[name, number < max ? count(number) : `${count(max)} or more`]],
  )

const removeForm = (
  { account }: AccountContents,
  fault: FieldFault | null,
): Markup => html`<form class="narrow" method="post">
<label for="handle">To confirm, type the handle <code>${account}</code></label>
<input id="handle" name="handle" required autocomplete="off" autocapitalize="off" spellcheck="false"${described('handle', fault)}>${faultLine('handle', fault)}
<p class="do"><button class="danger">Remove this account</button> <a href="/a/${account}/settings">Cancel</a></p></form>`
