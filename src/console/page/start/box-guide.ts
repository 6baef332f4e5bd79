import { html, type Markup } from '../../../lib/html.ts'
import { accountSteps, isLeadThere } from '../../../operations/start/account-steps.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { PageCall } from '../page.ts'
import { accountGuideSteps } from './account-guide.ts'
import { type GuideStep, stepList } from './step-list.ts'

/** Guides the owner of a box that has no account, or one account without a lead; `null`: the box is past that. */
export async function boxGuide({ caller }: Pick<PageCall, 'caller'>, box: ConsoleBox): Promise<Markup | null> {
  if (!caller.isOwner) return null
  const [first, second] = await box.accounts.list()
  if (second !== undefined) return null
  const steps = first === undefined ? stepsOfEmptyBox : await stepsOfFirst(first.handle, box)
  if (steps === null) return null
  return html`<section class="guide" aria-labelledby="guide"><h2 id="guide">${first === undefined ? 'Welcome. This box is empty.' : 'Until the first lead'}</h2>${stepList(steps)}
<p class="hint">The box checks each step whenever you open this page.</p></section>`
}

/** `null`: its first lead has arrived. */
async function stepsOfFirst(handle: string, box: ConsoleBox): Promise<readonly GuideStep[] | null> {
  const account = await box.accounts.find(handle)
  if (account === null) return stepsOfEmptyBox
  // Once leads arrive, the first page no longer reads the steps.
  if (await isLeadThere(account, box)) return null
  const found = await accountSteps(box, handle)
  if (found.lead.isDone) return null
  const made = {
    isDone: true,
    title: 'Make the first account',
    text: html`<p><a href="/a/${handle}">${account.settings.name}</a></p>`,
  }
  return [made, ...accountGuideSteps(found)]
}

const stepsOfEmptyBox: readonly GuideStep[] = [
  {
    isDone: false,
    title: 'Make the first account',
    text: html`<p>An account is one customer: their domains, pages and forms. A folder with a <code>site.toml</code> describes it.</p>
<p><a class="button" href="/publish">Publish a folder</a></p>
<p class="hint">Or on the box: <code>capture apply DIR</code></p>`,
  },
  {
    isDone: false,
    title: 'Point the domain to this box',
    text: html`<p>Once the account exists, the console shows the DNS records to set, and says when they are correct.</p>`,
  },
  {
    isDone: false,
    title: 'Put the form and the script on the website',
    text: html`<p>The account’s page <em>Forms</em> has the two pieces of HTML to paste.</p>`,
  },
  {
    isDone: false,
    title: 'Send a lead yourself',
    text: html`<p>It appears in the account’s inbox within a second.</p>`,
  },
]
