import { fieldLabel } from '../../../account/field-label.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { AppliedFolder } from '../../../operations/apply/apply-folder.ts'

type Change = AppliedFolder['changes'][number]
type Field = Change['fields'][number]

/** Changes shown of one kind; the rest is counted. */
const changesMax = 100
const valueCharactersMax = 300

/** The actions in the order in which they are shown. */
export const changedTitles: readonly (readonly [action: Change['action'], title: string])[] = [
  ['create', 'New'],
  ['update', 'Changed'],
  ['delete', 'Removed'],
]

/** The changes of a plan, each with its values before and after. @param placeOf the page about what was changed */
export function changesPart(
  changes: readonly Change[],
  placeOf: (change: Change) => string | null = () => null,
): Markup {
  return html`${changedTitles.map(([action, title]) => {
    const found = changes.filter((change) => change.action === action)
    return found.length === 0 ? null : listOf(title, found, placeOf)
  })}`
}

function listOf(title: string, changes: readonly Change[], placeOf: (change: Change) => string | null): Markup {
  const more = changes.length - changesMax
  const rest = more > 0 ? html`<li>… and ${String(more)} more</li>` : null
  return html`<h2>${title}</h2><ul class="changes">${changes.slice(0, changesMax).map((change) => changeItem(change, placeOf(change)))}${rest}</ul>`
}

/** An account has one, which needs no name. */
export const isOnlyOne: ReadonlySet<string> = new Set<Change['kind']>(['settings', 'key'])

function changeItem({ kind, name, note, fields }: Change, place: string | null): Markup {
  const linked = (text: string) => (place === null ? text : html`<a href="${place}">${text}</a>`)
  const what = isOnlyOne.has(kind)
    ? linked(fieldLabel(null, kind === 'key' ? name : kind))
    : html`<span class="soft">${fieldLabel(null, kind)}</span> ${linked(name)}`
  const rows = fields.length === 0 ? null : html`<dl>${fields.map(fieldRow)}</dl>`
  return html`<li><p>${what}${note ? html` <span class="meta">· ${note}</span>` : null}</p>${rows}</li>`
}

/** Where the name of a key says too little. */
const fieldWords: Readonly<Record<string, string>> = {
  origins: 'Other sites that may send',
  'retention.submissions': 'Submissions are kept',
  'retention.events': 'Events are kept',
  'retention.refused': 'Quarantine is kept',
}

function fieldRow({ field, before, after, diff }: Field): Markup {
  return html`<div><dt title="${field}">${fieldWords[field] ?? fieldLabel(null, field)}</dt><dd>${diff === undefined ? values(before, after) : diffPart(diff)}</dd></div>`
}

function values(before: string | null, after: string | null): Markup {
  if (before === null) return html`+ <ins>${shortened(after ?? '')}</ins>`
  if (after === null) return html`− <del>${shortened(before)}</del>`
  return html`<del>${shortened(before)}</del> → <ins>${shortened(after)}</ins>`
}

const shortened = (text: string): string =>
  text.length > valueCharactersMax ? `${text.slice(0, valueCharactersMax)}…` : text

const diffPart = (diff: string): Markup =>
  html`<details><summary>What changed in the text</summary>${diffText(diff)}</details>`

/** The lines of a diff, marked as removed and added. A long one scrolls, also by keyboard. */
export const diffText = (diff: string): Markup =>
  html`<pre class="diff" tabindex="0">${diff.split('\n').map(diffLine)}</pre>`

function diffLine(line: string): Markup {
  if (line.startsWith('+')) return html`<ins>${line}\n</ins>`
  if (line.startsWith('-')) return html`<del>${line}\n</del>`
  return html`<span class="soft">${line}\n</span>`
}
