import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { accountNamed } from '../../../operations/account/account-named.ts'
import type { AppliedFolder } from '../../../operations/apply/apply-folder.ts'
import { formPlaces } from '../../../operations/form/forms.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { doneNote, inWords, mark, notice } from '../../look/notice.ts'
import { changesPart } from './changes-part.ts'
import { dnsPart, shownOnce } from './plan-part.ts'

type Change = AppliedFolder['changes'][number]

/** Pages shown with their addresses; the list of pages has the rest. */
const pagesMax = 12

/** What a publication did: what went out, the way to what visitors see now, and how to take it back. */
export async function publishedPart(applied: AppliedFolder, box: ConsoleBox): Promise<Markup> {
  const { account: handle, changes, notAdopted, dns } = applied
  const { settings } = await accountNamed(box.accounts, handle)
  const what = changes.length === 0 ? 'Nothing has changed' : plural(changes.length, 'change')
  const seen = notAdopted === null && changes.length > 0 ? ' Visitors see it now.' : null
  return html`${doneNote(html`<p><strong>${what}</strong> in ${settings.name}.${seen}</p>${shownOnce(applied)}`)}
${notAdopted === null ? null : notice('doubtful', html`<p>${inWords(notAdopted)}</p>`)}${dnsPart(dns)}${await waysPart(applied, box)}${livePart(applied)}${changesPart(changes, (change) => placeOf(change, handle))}${backPart(applied)}`
}

/** The live pages with what happened to them, those that were changed first. */
function livePages({ pages, changes }: AppliedFolder) {
  const changeOf = new Map(changes.filter(({ kind }) => kind === 'page').map(({ name, action }) => [name, action]))
  return pages
    .filter(({ state, url }) => state === 'live' && url !== null)
    .map(({ name, url }) => ({ name, url, action: changeOf.get(name) ?? null }))
    .toSorted((one, other) => Number(other.action !== null) - Number(one.action !== null))
}

/** Of one page, the button that opens it says enough. */
function livePart(applied: AppliedFolder): Markup | null {
  const live = livePages(applied)
  if (live.length < 2) return null
  const items = live.slice(0, pagesMax).map(({ url, action }) => {
    const word = action === null ? null : html` ${mark(action === 'create' ? 'new' : 'changed', 'good')}`
    return html`<li><a href="${url}" rel="noopener noreferrer">${url}</a>${word}</li>`
  })
  const more = live.length - pagesMax
  return html`<h2>On the site now</h2><ul class="plan">${items}</ul>${more > 0 ? html`<p class="hint">And <a href="/a/${applied.account}/pages">${plural(more, 'more page')}</a>.</p>` : null}`
}

async function waysPart(applied: AppliedFolder, box: ConsoleBox): Promise<Markup> {
  const { account, forms } = applied
  const { testPageUrl } = await formPlaces(box, account)
  const [first] = livePages(applied)
  const open =
    first === undefined
      ? null
      : html`<a class="button" href="${first.url}" rel="noopener noreferrer">Open /${first.name}</a>`
  const tryForms =
    forms.length === 0
      ? null
      : html`<a href="${testPageUrl}" rel="noopener noreferrer">Try the form${forms.length === 1 ? null : 's'}</a>`
  return html`<p class="page-acts">${open}${tryForms}</p>`
}

/** The page of the console about what was changed; `null`: none, or it is gone. */
function placeOf({ action, kind, name, note }: Change, handle: string): string | null {
  if (action === 'delete') return null
  const at = `/a/${handle}`
  switch (kind) {
    case 'page':
      return `${at}/pages/${name}`
    case 'form':
      return `${at}/forms/${note}`
    case 'account':
    case 'settings':
    case 'key':
      return `${at}/settings`
    case 'delivery':
      return `${at}/deliveries`
    case 'asset':
      return `${at}/assets?q=${encodeURIComponent(name)}`
    default:
      return null
  }
}

/** A folder keeps the pages that it does not have, so an earlier one does not take a new page back. */
function backPart({ account, changes }: AppliedFolder): Markup | null {
  if (changes.length === 0) return null
  const pages = (wanted: string) => changes.filter(({ kind, action }) => kind === 'page' && action === wanted)
  const links = (of: readonly Change[]): Markup[] =>
    of
      .slice(0, pagesMax)
      .map(({ name }, place) => html`${place === 0 ? null : ', '}<a href="/a/${account}/pages/${name}">/${name}</a>`)
  const [changed, made] = [pages('update'), pages('create')]
  return html`<details class="more"><summary>How to take it back</summary><ul class="plan">${
    made.length === 0 ? null : html`<li>Move new pages back to preview: ${links(made)}.</li>`
  }${changed.length === 0 ? null : html`<li>Roll changed pages back to an earlier version: ${links(changed)}.</li>`}${
    changed.length + made.length === changes.length
      ? null
      : html`<li>For everything else, publish the earlier folder again.</li>`
  }</ul></details>`
}
