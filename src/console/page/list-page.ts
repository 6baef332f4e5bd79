import { html, type Markup } from '../../lib/html.ts'
import type { ListAsked } from '../api/cursor.ts'
import type { ListPart } from '../api/list.ts'
import type { ConsoleBox } from '../console-box.ts'
import { type TableColumn, table } from '../look/table.ts'
import type { AccountPageCall, PageCall, PageContent } from './page.ts'

/** A list as a page shows it, from what the address asks: `?q&cursor`. */
export interface ShownList<T, C extends PageCall> {
  title: string
  /** The list in the API, below `/api/v1` or the account: the page links its CSV. */
  api: string
  shownMax: number
  read(call: C, box: ConsoleBox, asked: ListAsked): Promise<ListPart<T>>
  /** The items as a table; absent: `items` shows them. */
  columns?(call: C): TableColumn<T>[]
  items?(items: readonly T[], call: C, box: ConsoleBox): Markup | Promise<Markup>
  /** Instead of an empty list. */
  empty: Markup
  /** Instead of the items of a search without any; absent: there is no search. @param isMore the search is not over */
  nothing?(isMore: boolean): string
  more?: string
}

/** The page of a list that has nothing beside it. */
export const listPage = <T, C extends PageCall>(list: ShownList<T, C>) => ({
  show: async (call: C, box: ConsoleBox): Promise<PageContent> => ({
    title: list.title,
    body: await shownList(list, call, box),
  }),
})

/** The list with its search and the ways on. Nobody searches an empty one. */
export async function shownList<T, C extends PageCall>(
  list: ShownList<T, C>,
  call: C,
  box: ConsoleBox,
): Promise<Markup> {
  const asked = askedOf(call.url, list.shownMax)
  const { items, next } = await list.read(call, box, asked)
  const isEmpty = items.length === 0 && asked.q === undefined && asked.cursor === undefined
  const { account } = call as Partial<AccountPageCall>
  const api = account === undefined ? list.api : `/accounts/${account.handle}${list.api}`
  const shown = isEmpty
    ? list.empty
    : items.length === 0
      ? html`<p>${list.nothing?.(next !== null) ?? 'Nothing found.'}</p>`
      : await (list.columns ? table(list.title, list.columns(call), items) : (list.items?.(items, call, box) ?? null))
  return html`${isEmpty || list.nothing === undefined ? null : searchForm(asked.q)}${shown}${listWays(call.url, { api, next, word: list.more, asked: { q: asked.q } })}`
}

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
  hint?: string
  filters?: Markup | null
}

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

function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value)
  return query.toString()
}
