import { html, type Markup } from '../../../lib/html.ts'
import { NotThere, OperatorError } from '../../../lib/operator-error.ts'
import { type DescribedPage, describePage } from '../../../operations/page/describe-page.ts'
import { movePage } from '../../../operations/page/move-page.ts'
import { type PreviewLink, previewLink } from '../../../operations/page/preview-link.ts'
import { rollBackPage } from '../../../operations/page/roll-back-page.ts'
import type { AuditChange } from '../../audit/audit-log.ts'
import { pageMoved, pageRolledBack } from '../../audit/changes.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyField } from '../../look/copy.ts'
import { publisherOf } from '../../publisher.ts'
import { localTime } from '../local-time.ts'
import { may } from '../may.ts'
import { messagePage } from '../message-page.ts'
import type { AccountPage, AccountPageCall, PageContent } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { notePageAct } from '../page-audit.ts'
import { framedOrigin } from './framed-origin.ts'
import { stateMark } from './pages-page.ts'
import { versionList } from './version-list.ts'

/** `/a/ACCOUNT/pages/SLUG`: a page with its versions; forms on it publish, take back, roll back and sign previews. */
export const pagePage: AccountPage = {
  of: 'account',
  path: '/a/:account/pages/:slug',
  scope: 'read',
  clients: 'nothing',
  show: (call, box) => content(call, box, {}),
  async act(call, box) {
    if (!may(call, 'publish')) return messagePage('notAllowed')
    try {
      if (call.fields.get('do') === 'preview') return content(call, box, { preview: await signPreview(call, box) })
      await change(call, box)
      return seeOther(call.url.pathname)
    } catch (error) {
      if (error instanceof OperatorError && !(error instanceof NotThere))
        return content(call, box, { fault: error.message })
      throw error
    }
  },
}

async function change(call: AccountPageCall, box: ConsoleBox): Promise<void> {
  const { account, params, fields, caller } = call
  const slug = params.slug ?? ''
  const wanted = { account: account.handle, slug, by: publisherOf(caller), known: [fields.get('seen') ?? ''] }
  const verb = fields.get('do') ?? ''
  const made = async (): Promise<AuditChange> => {
    if (verb === 'rollback') return pageRolledBack(await rollBackPage(box, { ...wanted, to: Number(fields.get('to')) }))
    if (verb === 'publish') return pageMoved(await movePage(box, { ...wanted, state: 'live' }))
    if (verb === 'unpublish') return pageMoved(await movePage(box, { ...wanted, state: 'preview' }))
    throw new NotThere('The page has no such form.')
  }
  await notePageAct(call, { action: `page.${verb}`, subject: slug, change: await made(), box })
}

const ttls = [
  [1, 'an hour'],
  [24, 'a day'],
  [7 * 24, 'a week'],
  [30 * 24, '30 days'],
] as const

async function signPreview(call: AccountPageCall, box: ConsoleBox): Promise<PreviewLink> {
  const { account, params, fields } = call
  const hours = ttls.find(([ttl]) => String(ttl) === fields.get('hours'))?.[0] ?? 1
  const version = Number(fields.get('version')) || null
  const wanted = { kind: 'page', name: params.slug ?? '', version } as const
  const link = await previewLink(box, { account: account.handle, wanted, ttlMs: hours * 3_600_000 })
  await notePageAct(call, { action: 'preview.sign', subject: link.name ?? '', box })
  return link
}

/** What a form on the page led to. */
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

function outcomeNote({ fault, preview }: Outcome, { account }: AccountPageCall): Markup | null {
  if (fault !== undefined) return html`<div class="note" role="alert"><p class="fault">${fault}</p></div>`
  if (preview === undefined) return null
  const until = localTime(new Date(preview.expiresAt).toISOString(), account.settings.timezone)
  const what = preview.version === null ? 'whichever version is current' : `version ${preview.version}`
  return html`<div class="note" role="status"><p>Anybody with this address sees ${what} until ${until}.</p>
${copyField({ id: 'preview', label: 'Preview address', text: preview.url })}</div>`
}

const facts = ({ state, url }: DescribedPage, { account }: AccountPageCall): Markup =>
  html`<p class="lead">${stateMark(state)} ${state === 'live' ? html`<a href="${url}" rel="noopener noreferrer">${url}</a>` : html`Visitors get 404. Its address will be on ${account.settings.domains[0] ?? 'the first domain'}.`}</p>`

const stateForm = ({ state, revision }: DescribedPage): Markup =>
  html`<form class="actions" method="post"><input type="hidden" name="seen" value="${revision}">${
    state === 'live'
      ? html`<button class="quiet" name="do" value="unpublish">Take it back into preview</button>`
      : html`<button name="do" value="publish">Publish it</button>`
  }</form>`

/** The folder is the truth: what was done by hand lasts until the next apply. */
function handNote({ versions, current, slug }: DescribedPage): Markup | null {
  const shown = versions.find(({ number }) => number === current)
  const applied = versions.find(({ publishedBy }) => publishedBy === 'apply')
  if (shown?.publishedBy !== 'hand') return null
  const stateLines =
    applied?.state === shown.state
      ? null
      : copyField({
          id: 'site-toml',
          label: 'For the folder to agree, its site.toml needs',
          text: `[[pages]]\nslug = "${slug}"\nstate = "${shown.state}"`,
          rows: 3,
        })
  const file =
    applied?.sha256 === shown.sha256
      ? null
      : html`<p>For the folder to agree, its <code>pages/${slug}.html</code> needs the content of version ${current}.</p>`
  return html`<div class="note"><p><strong>Changed by hand.</strong> The folder stays the truth: publishing it again undoes this.</p>${stateLines}${file}</div>`
}

const previewForm = ({ versions }: DescribedPage): Markup => html`<h2>Preview address</h2>
<form class="filters" method="post"><label for="version">Show</label>
<select id="version" name="version"><option value="">whichever version is current</option>${versions.map(({ number }) => html`<option value="${number}">version ${number} alone</option>`)}</select>
<label for="hours">for</label><select id="hours" name="hours">${ttls.map(([hours, text]) => html`<option value="${hours}">${text}</option>`)}</select>
<button name="do" value="preview">Make the address</button></form>`
