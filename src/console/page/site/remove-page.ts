import { html, type Markup } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { type AccountContents, accountContents, removeAccount } from '../../../operations/account/remove-account.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { isProved } from '../../session/session.ts'
import { type Fact, factsTable } from '../facts-table.ts'
import { messagePage } from '../message-page.ts'
import type { AccountPage, AccountPageCall, PageContent } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { notePageAct } from '../page-audit.ts'

/** `/a/ACCOUNT/remove`: says what would go with the account, and removes it once its handle was typed. For owners of the box. */
export const removePage: AccountPage = {
  of: 'account',
  path: '/a/:account/remove',
  scope: 'admin',
  clients: 'nothing',
  async show(call, box) {
    return barred(call, box) ?? content(call, box, null)
  },
  async act(call, box) {
    const bar = barred(call, box)
    if (bar !== null) return bar
    const { handle } = call.account
    if (call.fields.get('handle') !== handle) return content(call, box, 'That is not its handle: nothing was removed.')
    await removeAccount(box, handle)
    await notePageAct(call, { action: 'account.remove', subject: handle, box })
    return seeOther('/')
  },
}

/** `null`: an owner who has just proved who they are. */
function barred({ caller, url }: AccountPageCall, { clock }: ConsoleBox): Response | null {
  if (!caller.isOwner) return messagePage('notAllowed')
  return isProved(caller, clock.now()) ? null : seeOther(`/prove?to=${url.pathname}`)
}

async function content(call: AccountPageCall, box: ConsoleBox, fault: string | null): Promise<PageContent> {
  const contents = await accountContents(box, call.account.handle)
  return {
    title: `Remove ${call.account.settings.name}`,
    body: html`<p>Visitors lose its pages and forms at once. This goes with it, and comes back from a backup alone:</p>
${factsTable(facts(contents))}${form(contents, fault)}`,
  }
}

const facts = ({ domains, pages, images, files, forms, records }: AccountContents): Fact[] => [
  ['Domains', domains.join(', ')],
  ['Pages', count(pages)],
  ['Images', count(images)],
  ['Files', count(files)],
  ['Forms', count(forms)],
  ['Records', count(records)],
]

const form = ({ account }: AccountContents, fault: string | null): Markup => html`<form class="narrow" method="post">
${fault === null ? null : html`<p class="fault" role="alert">${fault}</p>`}
<label for="handle">Type its handle, <code>${account}</code></label>
<input id="handle" name="handle" required autocomplete="off" autocapitalize="off" spellcheck="false">
<p class="do"><button class="danger">Remove it with everything</button> <a href="/a/${account}/account">Keep it</a></p></form>`
