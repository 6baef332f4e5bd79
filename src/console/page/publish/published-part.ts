import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { accountNamed } from '../../../operations/account/account-named.ts'
import type { AppliedFolder } from '../../../operations/apply/apply-folder.ts'
import { formPlaces } from '../../../operations/form/forms.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { doneNote, inWords, mark, notice } from '../../look/notice.ts'
import { localTime } from '../values.ts'
import { changesPart } from './changes-part.ts'
import { dnsPart, shownOnce } from './plan-part.ts'

type Change = AppliedFolder['changes'][number]

/** Pages shown with their addresses; the list of pages has the rest. */
const pagesMax = 12

/** What a publication did: what went out, where visitors see it, what to do next, and how to take it back. */
export async function publishedPart(applied: AppliedFolder, box: ConsoleBox): Promise<Markup> {
  const { account: handle, changes, notAdopted } = applied
  const { id, settings } = await accountNamed(box.accounts, handle)
  const [latest] = await box.publications.read(id, 1)
  const at = localTime(latest?.at ?? box.clock.now(), settings.timezone)
  const seen = notAdopted === null ? ' Visitors see it now.' : null
  return html`${doneNote(html`<p><strong>Published.</strong> ${plural(changes.length, 'change')} in ${settings.name}, ${at}.${seen}</p>${shownOnce(applied)}`)}
${notAdopted === null ? null : notice('doubtful', html`<p>${inWords(notAdopted)}</p>`)}${livePart(applied)}${await nextPart(applied, box)}${changesPart(changes, (change) => placeOf(change, handle))}${backPart(applied)}`
}

/** The live pages, those that were changed first. */
function livePart({ account, pages, changes }: AppliedFolder): Markup | null {
  const changeOf = new Map(changes.filter(({ kind }) => kind === 'page').map(({ name, action }) => [name, action]))
  const live = pages.filter(({ state, url }) => state === 'live' && url !== null)
  if (live.length === 0) return null
  const shown = live.toSorted((one, other) => Number(changeOf.has(other.name)) - Number(changeOf.has(one.name)))
  const items = shown.slice(0, pagesMax).map(({ name, url }) => {
    const action = changeOf.get(name)
    return html`<li><a href="${url}" rel="noopener noreferrer">${url}</a>${action === undefined ? null : html` ${mark(action === 'create' ? 'new' : 'changed', 'good')}`}</li>`
  })
  const more = live.length - pagesMax
  return html`<h2>On the site now</h2><ul class="plan">${items}</ul>${more > 0 ? html`<p class="hint">And <a href="/a/${account}/pages">${plural(more, 'more page')}</a>.</p>` : null}`
}

async function nextPart({ account, dns, forms }: AppliedFolder, box: ConsoleBox): Promise<Markup> {
  const { testPageUrl } = await formPlaces(box, account)
  const tryForms =
    forms.length === 0
      ? null
      : html`<a class="button" href="${testPageUrl}" rel="noopener noreferrer">Try ${forms.length === 1 ? 'the form' : 'every form'} on the test page</a>`
  return html`${dnsPart(dns)}<h2>Next</h2><p class="do">${tryForms}<a class="button" href="/a/${account}/pages">See its pages</a><a class="button" href="/a/${account}">Open its inbox</a></p>`
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
  const pages = (wanted: string): Markup[] =>
    changes
      .filter(({ kind, action }) => kind === 'page' && action === wanted)
      .slice(0, pagesMax)
      .map(({ name }, place) => html`${place === 0 ? null : ', '}<a href="/a/${account}/pages/${name}">/${name}</a>`)
  const [changed, made] = [pages('update'), pages('create')]
  return html`<h2>To take it back</h2><p class="said">${changed.length === 0 ? null : html`Earlier versions of ${changed}: choose one to go back to. `}${made.length === 0 ? null : html`Move back to preview what is new: ${made}. `}For everything else, publish the earlier folder again.</p>`
}
