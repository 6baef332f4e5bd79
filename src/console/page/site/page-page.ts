import { leadsHere } from '../../../lib/hostname.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { type DescribedPage, describePage } from '../../../operations/page/describe-page.ts'
import type { PreviewLink } from '../../../operations/page/preview-link.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyField } from '../../look/copy.ts'
import { doneNote, faultLine } from '../../look/notice.ts'
import { operatorMessage } from '../../look/operator-message.ts'
import { localTime } from '../local-time.ts'
import { may } from '../may.ts'
import { type AccountPage, type AccountPageCall, actsBy, type PageContent } from '../page.ts'
import { pageActs, previewTimes } from './page-acts.ts'
import { stateMark } from './pages-page.ts'
import { versionList } from './version-list.ts'

/** `/a/ACCOUNT/pages/SLUG`: a page with its versions, and forms to publish, unpublish, roll back and sign previews. */
export const pagePage: AccountPage = {
  of: 'account',
  path: '/a/:account/pages/:slug',
  scope: 'read',
  show: (call, box) => content(call, box, {}),
  forms: {
    scope: 'publish',
    chosen: actsBy(
      'do',
      pageActs((call, box, preview) => content(call, box, { preview })),
    ),
    refused: (call, box, why) => content(call, box, { fault: why.message }),
  },
}

/** The result of a form on the page. */
interface Outcome {
  fault?: string
  preview?: PreviewLink
}

async function content(call: AccountPageCall, box: ConsoleBox, outcome: Outcome): Promise<PageContent> {
  const page = await describePage(box, { account: call.account.handle, slug: call.params.slug ?? '' })
  const framesFrom = framedOrigin(page.previewBase, call.place.origin)
  const isPublisher = may(call, 'publish')
  return {
    title: `/${page.slug}`,
    body: html`${outcomeNote(outcome, call)}${facts(page, call)}${isPublisher ? stateForm(page) : null}${handNote(page)}
${isPublisher ? previewForm(page) : null}<h2>Versions</h2>
${versionList(page, { timezone: call.account.settings.timezone, mayPublish: isPublisher, isFramed: framesFrom !== null })}`,
    ...(framesFrom === null ? {} : { framesFrom }),
  }
}

function outcomeNote({ fault, preview }: Outcome, { account, caller }: AccountPageCall): Markup | null {
  if (fault !== undefined) return faultLine(operatorMessage(fault, caller))
  if (preview === undefined) return null
  const until = localTime(new Date(preview.expiresAt).toISOString(), account.settings.timezone)
  const what = preview.version === null ? 'the current version' : `version ${preview.version}`
  return doneNote(html`<p>Everybody who has this address sees ${what} until ${until}.</p>
${copyField({ id: 'preview', label: 'Preview address', text: preview.url })}`)
}

const facts = ({ state, url }: DescribedPage, { account }: AccountPageCall): Markup =>
  html`<p class="lead">${stateMark(state)} ${state === 'live' ? html`<a href="${url}" rel="noopener noreferrer">${url}</a>` : html`Visitors get 404. Once published, the page is on ${account.settings.domains[0] ?? 'the first domain'}.`}</p>`

const stateForm = ({ state, revision }: DescribedPage): Markup =>
  html`<form class="actions" method="post"><input type="hidden" name="seen" value="${revision}">${
    state === 'live'
      ? html`<button class="quiet" name="do" value="unpublish">Move back to preview</button>`
      : html`<button name="do" value="publish">Publish</button>`
  }</form>`

/** The folder is the source of truth: a change by hand lasts until the next apply. */
function handNote({ versions, current, slug }: DescribedPage): Markup | null {
  const shown = versions.find(({ number }) => number === current)
  const applied = versions.find(({ publishedBy }) => publishedBy === 'apply')
  if (shown?.publishedBy !== 'hand') return null
  const stateLines =
    applied?.state === shown.state
      ? null
      : copyField({
          id: 'site-toml',
          label: 'To keep this, add to site.toml in the folder',
          text: `[[pages]]\nslug = "${slug}"\nstate = "${shown.state}"`,
          rows: 3,
        })
  const file =
    applied?.sha256 === shown.sha256
      ? null
      : html`<p>To keep this, put the content of version ${current} into <code>pages/${slug}.html</code> of the folder.</p>`
  return html`<div class="note"><p><strong>Changed by hand.</strong> Publishing the folder again undoes this change.</p>${stateLines}${file}</div>`
}

const previewForm = ({ versions }: DescribedPage): Markup => html`<h2>Preview address</h2>
<form class="filters" method="post"><label for="version">Show</label>
<select id="version" name="version"><option value="">the current version</option>${versions.map(({ number }) => html`<option value="${number}">version ${number}</option>`)}</select>
<label for="hours">for</label><select id="hours" name="hours">${previewTimes.map(([hours, text]) => html`<option value="${hours}">${text}</option>`)}</select>
<button name="do" value="preview">Make address</button></form>`

/**
 * The origin of previews, if a page of the console can show them in frames. `null`: the browser would block them as mixed
 * content, or the name leads to another machine than the box.
 *
 * @param previewBase the start of preview addresses
 * @param consoleOrigin the console's origin in the browser
 */
function framedOrigin(previewBase: string, consoleOrigin: string): string | null {
  const [preview, console] = [new URL(previewBase), new URL(consoleOrigin)]
  if (console.protocol === 'https:' && preview.protocol !== 'https:') return null
  if (leadsHere(preview.hostname) && !leadsHere(console.hostname)) return null
  return preview.origin
}
