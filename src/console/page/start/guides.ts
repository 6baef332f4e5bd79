import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import {
  type AccountSteps,
  accountSteps,
  isLeadThere,
  type StartingDomain,
} from '../../../operations/start/account-steps.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { inWords } from '../../look/notice.ts'
import { type AccountPageCall, may, type PageCall } from '../page.ts'

/** The steps left until the account's first lead; `null`: it has arrived, or the user could do none of the steps. */
export async function accountGuide(
  call: Pick<AccountPageCall, 'account' | 'caller'>,
  box: ConsoleBox,
): Promise<Markup | null> {
  if (!may(call, 'publish') || (await isLeadThere(call.account, box))) return null
  const steps = accountGuideSteps(await accountSteps(box, call.account.handle))
  return html`<section class="guide" aria-labelledby="guide"><h2 id="guide">Until the first lead</h2>${stepList(steps)}</section>`
}

function accountGuideSteps(steps: AccountSteps): GuideStep[] {
  const { account, pages, domains, forms, script } = steps
  const of = (path: string) => `/a/${account}/${path}`
  return [
    {
      isDone: pages.isDone,
      title: 'Publish a page',
      text: pagesText(pages),
      way: pages.preview > 0 ? [of('pages'), 'Publish one'] : [of('publish'), 'Publish a folder'],
    },
    {
      isDone: domains.isDone,
      title: 'Point the domain to this box',
      text: domainsText(domains),
      way: [of('domains'), `See what ${domains.hosts.length === 1 ? domains.hosts[0]?.host : 'each name'} needs`],
    },
    {
      isDone: forms.isDone,
      title: 'Add a form',
      text: forms.isDone
        ? html`<p>${forms.names.join(', ')}</p>`
        : html`<p>Add a <code>[[forms]]</code> entry to <code>site.toml</code>, and publish the folder.</p>`,
      way: [of('publish'), 'Publish the folder'],
    },
    {
      isDone: script.isDone,
      title: 'Put the form and the script on the website',
      text: script.isDone
        ? html`<p>${plural(script.events, 'event')} received.</p>`
        : html`<p>Nothing received yet. Beside the HTML, a test page finds what is wrong.</p>`,
      way: [of('forms'), 'Get the HTML to paste'],
    },
    {
      isDone: false,
      title: 'Send a lead yourself',
      text: html`<p>Fill in the form on the website, as a visitor would: the lead is in the inbox within a second. The test page does not count.</p>`,
    },
  ]
}

function pagesText({ isDone, live, preview }: AccountSteps['pages']): Markup {
  if (live > 0) return html`<p>${plural(live, 'page')} live.</p>`
  if (isDone) return html`<p>None needed: the website is elsewhere.</p>`
  return preview > 0
    ? html`<p>${plural(preview, 'page')} in preview: visitors get 404.</p>`
    : html`<p>A folder has HTML files in <code>pages/</code>. A website elsewhere needs none.</p>`
}

function domainsText({ hosts, views }: AccountSteps['domains']): Markup {
  const seen = views > 0 ? html`<p>${plural(views, 'page view')} came in.</p>` : null
  const items = hosts.slice(0, hostsShownMax).map(hostText)
  const rows =
    items.length > 1
      ? html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`
      : html`<p>${items[0] ?? 'None yet.'}</p>`
  return html`${rows}${seen}`
}

const hostsShownMax = 10

const hostText = ({ host, state, reason }: StartingDomain): Markup =>
  html`${host}: ${state === 'open' ? inWords(reason === '' ? 'nothing received through it yet.' : reason) : hostWords[state]}`

const hostWords = { certified: 'ready, with a certificate.', visited: 'visitors reach it.' }

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
<p class="hint">Or on the box: <code>capture apply DIR</code></p>`,
    way: ['/publish', 'Publish a folder'],
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

interface GuideStep {
  isDone: boolean
  title: string
  /** What the box has seen, or what to do. */
  text: Markup
  /** Where it is done. */
  way?: readonly [href: string, text: string]
}

/** The steps in order; the first open step is the next one to take. */
function stepList(steps: readonly GuideStep[]): Markup {
  const next = steps.findIndex(({ isDone }) => !isDone)
  return html`<ol class="steps">${steps.map((step, at) => item(step, at === next))}</ol>`
}

const item = ({ isDone, title, text, way }: GuideStep, isNext: boolean): Markup =>
  html`<li class="${isDone ? 'done' : isNext ? 'next' : 'open'}"${isNext ? html` aria-current="step"` : null}><h3>${title}${isDone ? html` <span class="unseen">(done)</span>` : null}</h3>${text}${isDone || way === undefined ? null : html`<p><a${isNext ? html` class="button"` : null} href="${way[0]}">${way[1]}</a></p>`}</li>`
