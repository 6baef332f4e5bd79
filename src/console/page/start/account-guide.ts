import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import {
  type AccountSteps,
  accountSteps,
  isLeadThere,
  type StartingDomain,
} from '../../../operations/start/account-steps.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { inWords } from '../../look/operator-message.ts'
import { may } from '../may.ts'
import type { AccountPageCall } from '../page.ts'
import { type GuideStep, stepList } from './step-list.ts'

/** The steps left until the account's first lead; `null`: it has arrived, or the user could do none of the steps. */
export async function accountGuide(
  call: Pick<AccountPageCall, 'account' | 'caller'>,
  box: ConsoleBox,
): Promise<Markup | null> {
  if (!may(call, 'publish') || (await isLeadThere(call.account, box))) return null
  const steps = accountGuideSteps(await accountSteps(box, call.account.handle))
  return html`<section class="guide" aria-labelledby="guide"><h2 id="guide">Until the first lead</h2>${stepList(steps)}
<p class="hint">The box checks each step whenever you open this page.</p></section>`
}

/** The steps of an account without a lead. */
export function accountGuideSteps(steps: AccountSteps): GuideStep[] {
  const { account, pages, domains, forms, script } = steps
  const of = (path: string) => `/a/${account}/${path}`
  return [
    { isDone: pages.isDone, title: 'Publish a page', text: pagesText(pages, of) },
    { isDone: domains.isDone, title: 'Point the domain to this box', text: domainsText(domains, of) },
    {
      isDone: forms.isDone,
      title: 'Declare a form',
      text: forms.isDone
        ? html`<p>${forms.names.join(', ')}</p>`
        : html`<p>Add a <code>[[forms]]</code> entry to <code>site.toml</code> and <a href="${of('publish')}">publish the folder</a>.</p>`,
    },
    {
      isDone: script.isDone,
      title: 'Put the form and the script on the website',
      text: script.isDone
        ? html`<p>${plural(script.events, 'event')} received.</p>`
        : html`<p>Nothing received yet. <a href="${of('forms')}">Forms</a> has the HTML to paste, and a test page that finds problems.</p>`,
    },
    {
      isDone: false,
      title: 'Send a lead yourself',
      text: html`<p>Fill in the form on the website, as a visitor would. The test page does not count.</p>`,
    },
  ]
}

function pagesText({ isDone, live, preview }: AccountSteps['pages'], of: (path: string) => string): Markup {
  if (live > 0) return html`<p>${plural(live, 'page')} live. <a href="${of('pages')}">Pages</a></p>`
  if (isDone) return html`<p>None needed: the website is elsewhere.</p>`
  return preview > 0
    ? html`<p>${plural(preview, 'page')} in preview: visitors get 404. <a href="${of('pages')}">Publish one</a></p>`
    : html`<p><a href="${of('publish')}">Publish a folder</a> with HTML files in <code>pages/</code>. If the website is elsewhere, it needs no pages here.</p>`
}

function domainsText({ isDone, hosts, views }: AccountSteps['domains'], of: (path: string) => string): Markup {
  const seen = views > 0 ? html`<p>${plural(views, 'page view')} came in.</p>` : null
  const rows = hosts.slice(0, hostsShownMax).map(({ host, state, reason }) => hostText(host, state, reason))
  const ways = isDone ? null : html`<p><a href="${of('domains')}">Domains</a> says what each name still needs.</p>`
  return html`<ul>${rows}</ul>${seen}${ways}`
}

const hostsShownMax = 10

const hostText = (host: string, state: StartingDomain['state'], reason: string): Markup =>
  html`<li>${host}: ${state === 'open' ? inWords(reason === '' ? 'nothing received through it yet.' : reason) : hostWords[state]}</li>`

const hostWords = { certified: 'ready, with a certificate.', visited: 'visitors reach it.' }
