import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Column, csvLine } from '../../report/csv.ts'
import { ApiError } from './api-error.ts'
import type { ApiAnswer } from './endpoint.ts'

const limitDefault = 50
export const listLimitMax = 1000

/** The parameters of every list. */
export const listQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: listLimitMax, default: limitDefault }),
  cursor: Type.Optional(Type.String({ maxLength: 1000 })),
  q: Type.Optional(Type.String({ maxLength: 200 })),
  format: Type.Union([Type.Literal('json'), Type.Literal('csv')], { default: 'json' }),
})

export type ListQuery = Static<typeof listQuery>

export const listOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), next: Type.Union([Type.String(), Type.Null()]) })

export interface ListPart<T> {
  items: T[]
  next: string | null
}

/**
 * A page of a short list that is read completely. The cursor names the last item by its key, so that the next page continues
 * there, whatever was added in the meantime.
 *
 * @param items in order of their keys, or in the reverse order, throughout
 */
export function pageOf<T>(
  items: readonly T[],
  { limit, cursor, q }: ListQuery,
  { key, texts }: ListKeys<T>,
): ListPart<T> {
  const found = q === undefined ? items : items.filter((item) => includes(texts(item), q))
  const from = cursor === undefined ? 0 : behind(found.map(key), decoded(cursor))
  const page = found.slice(from, from + limit)
  const last = page.at(-1)
  const isMore = from + page.length < found.length
  return { items: page, next: isMore && last !== undefined ? encoded(key(last)) : null }
}

interface ListKeys<T> {
  /** Unique; the list is ordered by it. */
  key: (item: T) => string
  /** The texts that a search looks in. */
  texts: (item: T) => readonly string[]
}

const includes = (texts: readonly string[], q: string): boolean => {
  const wanted = q.toLowerCase()
  return texts.some((text) => text.toLowerCase().includes(wanted))
}

/** Where the list continues after a key, which may be gone by now. */
function behind(keys: readonly string[], after: string): number {
  const descends = (keys.at(0) ?? '') > (keys.at(-1) ?? '')
  const at = keys.findIndex((key) => (descends ? key < after : key > after))
  return at < 0 ? keys.length : at
}

export const encoded = (key: string): string => Buffer.from(key).toString('base64url')

/** @throws ApiError `invalid` for an invalid cursor */
export function decoded(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString()
  if (encoded(key) === cursor) return key
  throw new ApiError('invalid', 'No list returned this cursor. Start without a cursor.')
}

/** The page in the requested format: JSON with the next cursor, or CSV with the cursor in `Link` (RFC 8288). */
export function listAnswer<T>(
  page: ListPart<T>,
  { query, url }: { query: ListQuery; url: string },
  columns: Column<T>[],
): ApiAnswer<ListPart<T>> {
  if (query.format === 'json') return { value: page }
  const headers = new Headers({
    'content-type': 'text/csv; charset=utf-8',
    'cache-control': 'no-store',
    'content-disposition': 'attachment; filename="list.csv"',
  })
  if (page.next !== null) headers.set('link', `<${nextAddress(url, page.next)}>; rel="next"`)
  const lines = [
    columns.map(({ header }) => header),
    ...page.items.map((item) => columns.map(({ cell }) => cell(item))),
  ]
  return new Response(lines.map((cells) => csvLine(cells)).join(''), { headers })
}

function nextAddress(url: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url)
  searchParams.set('cursor', cursor)
  return `${pathname}?${searchParams}`
}
