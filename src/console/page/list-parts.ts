import { html, type Markup } from '../../lib/html.ts'
import type { ListAsked } from '../api/cursor.ts'

/** What the address of a page asks of its list: `?q&cursor`. */
export const askedOf = ({ searchParams }: URL, limit: number): ListAsked => ({
  limit,
  q: searchParams.get('q') || undefined,
  cursor: searchParams.get('cursor') || undefined,
})

interface Tab {
  href: string
  text: string
  isCurrent: boolean
}

/** Links to the parts of what the page shows. @param label for screen readers */
export const tabs = (label: string, all: readonly Tab[]): Markup =>
  html`<nav class="tabs" aria-label="${label}"><ul>${all.map(
    ({ href, text, isCurrent }) =>
      html`<li><a href="${href}"${isCurrent ? html` aria-current="page"` : null}>${text}</a></li>`,
  )}</ul></nav>`

interface SearchParts {
  /** Parameters that a search keeps. */
  kept?: Readonly<Record<string, string>>
  /** What can be searched. */
  hint?: string
  /** More fields. */
  filters?: Markup | null
}

/** The search above a list. */
export const searchForm = (
  q: string | undefined,
  { kept = {}, hint = '', filters = null }: SearchParts = {},
): Markup => html`<form class="filters" method="get" role="search">${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<span class="pair wide"><label for="q">Search</label><input id="q" name="q" type="search" value="${q ?? ''}" maxlength="200" placeholder="${hint}"></span>${filters}<button>Show</button></form>`

interface ListWays {
  /** The list in the API, below `/api/v1`. */
  api: string
  /** The cursor of the next page; `null`: this is the last one. */
  next?: string | null
  /** What leads there. */
  word?: string | undefined
  /** The search and filters, which the next page and the CSV share. */
  asked?: Readonly<Record<string, string | undefined>>
}

/** The ways on from a list: its next page, and all of it as CSV. */
export function listWays({ pathname }: URL, { api, next = null, word = 'More', asked = {} }: ListWays): Markup {
  const more = next && html`<a class="button" href="${pathname}?${queryOf({ ...asked, cursor: next })}">${word}</a> `
  return html`<p class="more">${more}${csvLink(api, { asked })}</p>`
}

/** Up to a thousand rows of a list, as a file. */
export const csvLink = (
  api: string,
  { asked = {}, text = 'As CSV' }: Pick<ListWays, 'asked'> & { text?: string } = {},
): Markup => html`<a href="/api/v1${api}?${queryOf({ format: 'csv', limit: '1000', ...asked })}">${text}</a>`

/** Without empty parameters. */
function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value)
  return query.toString()
}
