import { html, type Markup } from '../../lib/html.ts'
import type { ListAsked } from '../api/cursor.ts'
import type { ListPart } from '../api/list.ts'
import type { ConsoleBox } from '../console-box.ts'
import { type TableColumn, table } from '../look/table.ts'
import { askedOf, listWays, searchForm } from './list-parts.ts'
import type { AccountPageCall, PageCall, PageContent } from './page.ts'

/** A list as a page shows it, from what the address asks: `?q&cursor`. */
export interface ShownList<T, C extends PageCall> {
  title: string
  /** The list in the API, below `/api/v1` or the account: the page links its CSV. */
  api: string
  /** The most items at a time. */
  shownMax: number
  read(call: C, box: ConsoleBox, asked: ListAsked): Promise<ListPart<T>>
  /** The items as a table; absent: `items` shows them. */
  columns?(call: C): TableColumn<T>[]
  items?(items: readonly T[], call: C, box: ConsoleBox): Markup | Promise<Markup>
  /** Instead of an empty list. */
  empty: Markup
  /** Instead of the items of a search without any; absent: there is no search. @param isMore the search is not over */
  nothing?(isMore: boolean): string
  /** What leads to the next items. */
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
