import { html, type Markup } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { type AccountContents, accountContents, removeAccount } from '../../../operations/account/remove-account.ts'
import { accountRemoved } from '../../audit/changes.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { faultLine } from '../../look/notice.ts'
import { type Fact, factsTable } from '../facts-table.ts'
import { FormRefusal } from '../form-refusal.ts'
import type { AccountPage, AccountPageCall, PageAct, PageContent } from '../page.ts'
import { seeOther } from '../page-answer.ts'

/** `/a/ACCOUNT/remove`: shows what a removal deletes, and removes the account once its handle was typed. For owners of the box. */
export const removePage: AccountPage = {
  of: 'account',
  path: '/a/:account/remove',
  scope: 'admin',
  ownersOnly: true,
  asksAgain: true,
  show: (call, box) => content(call, box, null),
  forms: {
    scope: 'admin',
    chosen: () => remove,
    refused: (call, box, why) => content(call, box, why.message),
  },
}

const remove: PageAct<AccountPageCall> = {
  noted: { action: 'account.remove', subject: ({ account }) => account.handle },
  async run({ account: { handle }, fields }, box) {
    if (fields.get('handle') !== handle) throw new FormRefusal('This is not the account’s handle. Nothing was removed.')
    return {
      answer: seeOther('/'),
      notice: 'The account is removed.',
      change: accountRemoved(await removeAccount(box, handle)),
    }
  },
}

async function content(call: AccountPageCall, box: ConsoleBox, fault: string | null): Promise<PageContent> {
  const contents = await accountContents(box, call.account.handle, recordsMax)
  return {
    title: `Remove ${call.account.settings.name}`,
    body: html`<p>Its pages and forms go offline at once. The following is deleted, and only a backup brings it back:</p>
${factsTable(facts(contents))}${form(contents, fault)}`,
  }
}

/** Counting millions would take longer than a page may. */
const recordsMax = 100_000

const facts = ({ domains, pages, images, files, forms, records }: AccountContents): Fact[] => [
  ['Domains', domains.join(', ')],
  ['Pages', count(pages)],
  ['Images', count(images)],
  ['Files', count(files)],
  ['Forms', count(forms)],
  ['Records', records < recordsMax ? count(records) : `${count(recordsMax)} or more`],
]

const form = ({ account }: AccountContents, fault: string | null): Markup => html`<form class="narrow" method="post">
${faultLine(fault)}
<label for="handle">To confirm, type the handle <code>${account}</code></label>
<input id="handle" name="handle" required autocomplete="off" autocapitalize="off" spellcheck="false">
<p class="do"><button class="danger">Remove the account</button> <a href="/a/${account}/account">Keep the account</a></p></form>`
