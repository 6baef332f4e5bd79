import { html, type Markup } from '../../lib/html.ts'
import type { ListAsked, ListPart } from '../api/list.ts'
import type { ConsoleBox } from '../console-box.ts'
import { mainWay } from '../look/notice.ts'
import { head } from '../look/shell.ts'
import { type TableColumn, table } from '../look/table.ts'
import type { PageContent } from '../page-content.ts'
import { type AccountPageCall, may, type PageCall } from './page.ts'

/** A list as a page shows it, from what the address asks: `?q&cursor`, and the parameter of its filter. */
export interface ShownList<T, C extends PageCall> {
  title: string
  /** Above a list that is one part of its page. */
  heading?: string
  /** The list in the API, below `/api/v1` or the account: the page links its CSV. */
  api: string
  shownMax: number
  filter?: ListFilter
  /** Parameters of the API's list that the page has, too, with their fields beside the search. */
  narrowed?: {
    asked(call: C): Readonly<Record<string, string | undefined>>
    fields(call: C, box: ConsoleBox): Promise<readonly Markup[]>
  }
  /** @param chosen by the filter; absent: everything */
  read(call: C, box: ConsoleBox, asked: ListAsked, chosen?: string): Promise<ListPart<T>>
  /** The items as a table; absent: `items` shows them. */
  columns?(call: C): TableColumn<T>[]
  /** What several rows of the table stand under. */
  groupOf?(item: T): string
  items?(items: readonly T[], call: C, box: ConsoleBox): Markup | Promise<Markup>
  /** The way to more items, beside the heading of a page that is nothing but the list; an empty list has its own. */
  way?(call: C): Markup | null
  /** Instead of an empty list, its filter and its CSV; `null`: not even its heading is shown. */
  empty(call: C): Markup | null
  /** Instead of the items of a search without any; absent: there is no search. A short list has none either. @param isMore the search is not over */
  nothing?(isMore: boolean): string
  /** Below the items: what their figures are of, or what to do about some of them. */
  note?(items: readonly T[], call: C): Markup | string | null
  /** In the empty field of the search. */
  hint?: string
  more?: string
}

/** Tabs above a list, one for each value of a parameter. The first shows everything. */
interface ListFilter {
  label: string
  name: string
  choices: readonly (readonly [value: string, text: string])[]
}

/** The way to more of what a folder contains. */
export const publishWay = (call: AccountPageCall): Markup | null =>
  may(call, 'publish') ? mainWay(`/a/${call.account.handle}/publish`, 'Publish a folder') : null

/** The page of a list that has nothing beside it. */
export const listPage = <T, C extends PageCall>(list: ShownList<T, C>) => ({
  show: (call: C, box: ConsoleBox): Promise<PageContent> => shownList(list, call, box),
})

/** Who has fewer items before their eyes needs no search. */
export const searchedFrom = 12

interface ShownPart<T> extends Pick<PageContent, 'body' | 'ways'> {
  /** For what else its page says of them. */
  items: readonly T[]
}

/** The list with its filter and its search. Its CSV stands beside its own heading, or else beside that of the page. */
export async function shownList<T, C extends PageCall>(
  list: ShownList<T, C>,
  call: C,
  box: ConsoleBox,
): Promise<ShownPart<T>> {
  const { searchParams } = call.url
  const q = searchParams.get('q') || undefined
  const cursor = searchParams.get('cursor') || undefined
  const chosen = chosenIn(searchParams, list.filter)
  const { items, next } = await list.read(call, box, { limit: list.shownMax, q, cursor }, chosen)
  const narrowed = list.narrowed?.asked(call) ?? {}
  const isNarrowed = [q, cursor, ...Object.values(narrowed)].some((value) => value !== undefined)
  const isEmpty = items.length === 0 && !isNarrowed && chosen === undefined
  const heading = list.heading === undefined ? null : html`<h2>${list.heading}</h2>`
  if (isEmpty) {
    const empty = list.empty(call)
    return { items, body: html`${empty && heading}${empty}` }
  }
  const { account } = call as Partial<AccountPageCall>
  const api = account === undefined ? list.api : `/accounts/${account.handle}${list.api}`
  const shown =
    items.length === 0
      ? html`<p>${list.nothing?.(next !== null) ?? 'Nothing found.'}${isNarrowed ? html` <a href="${call.url.pathname}">Show all</a>` : null}</p>`
      : await (list.columns
          ? table(list.title, list.columns(call), items, list)
          : (list.items?.(items, call, box) ?? null))
  const isLong = items.length >= searchedFrom || next !== null || isNarrowed
  const isSearched = isLong && list.nothing !== undefined
  const filters = isSearched ? await list.narrowed?.fields(call, box) : []
  const search = searchOf(list, call.url, { q, chosen, isSearched, filters })
  const asked = { ...(list.filter && { [list.filter.name]: chosen }), ...narrowed, q }
  const csv = csvLink(api, { asked })
  const note = items.length === 0 ? null : (list.note?.(items, call) ?? null)
  const body = html`${search}${shown}${note && html`<p class="hint">${note}</p>`}${moreLink(call.url, { next, word: list.more, asked })}`
  return heading === null
    ? { items, body, ways: html`${list.way?.(call) ?? null} ${csv}` }
    : { items, body: html`${head(heading, csv)}${body}` }
}

function chosenIn(search: URLSearchParams, filter: ListFilter | undefined): string | undefined {
  const [, ...narrower] = filter?.choices ?? []
  return narrower.find(([value]) => value === search.get(filter?.name ?? ''))?.[0]
}

interface Searched extends Pick<SearchParts, 'filters'> {
  q: string | undefined
  chosen: string | undefined
  isSearched: boolean
}

function searchOf(
  { filter, hint }: Pick<ShownList<never, never>, 'filter' | 'hint'>,
  { pathname }: URL,
  { q, chosen, isSearched, filters }: Searched,
): Markup | null {
  const search = (kept = {}) => (isSearched ? searchForm(q, { kept, hint, filters }) : null)
  if (filter === undefined) return search()
  const { label, name, choices } = filter
  const value = chosen ?? choices[0]?.[0] ?? ''
  const links = choices.map(([choice, text]) => ({
    href: `${pathname}?${queryOf({ [name]: choice, q })}`,
    text,
    isCurrent: choice === value,
  }))
  return html`<div class="tools">${tabs(label, links)}${search({ [name]: value })}</div>`
}

interface Tab {
  href: string
  text: Markup | string
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
  hint?: string | undefined
  filters?: readonly Markup[] | undefined
  /** The page of the list; absent: that of the address, which names one of the list's items where both are shown. */
  action?: string
}

export const searchForm = (
  q: string | undefined,
  { kept = {}, hint = 'Search', filters = [], action }: SearchParts = {},
): Markup => html`<form class="filters" method="get" role="search"${action === undefined ? null : html` action="${action}"`}>${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<span class="pair wide"><label class="unseen" for="q">Search</label><input id="q" name="q" type="search" value="${q ?? ''}" maxlength="200" placeholder="${hint}"></span>${filters.length === 0 ? null : html`${filters}<button>Search</button>`}</form>`

/** The search and filters of a list, which its next page and its CSV share. */
type ListQuery = Readonly<Record<string, string | undefined>>

interface NextPage {
  /** `null`: this is the last page. */
  next: string | null
  word: string | undefined
  asked: ListQuery
}

const moreLink = ({ pathname }: URL, { next, word = 'More', asked }: NextPage): Markup | null =>
  next === null
    ? null
    : html`<p class="more"><a class="button" href="${pathname}?${queryOf({ ...asked, cursor: next })}">${word}</a></p>`

/** Up to a thousand rows of a list, as a file. @param api the list in the API, below `/api/v1` */
export const csvLink = (api: string, { asked = {}, text = 'CSV' }: { asked?: ListQuery; text?: string } = {}): Markup =>
  html`<a class="save" href="/api/v1${api}?${queryOf({ format: 'csv', limit: '1000', ...asked })}">${text}</a>`

function queryOf(parameters: ListQuery): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value)
  return query.toString()
}
