import { ApiError } from './api-error.ts'
import type { ListPart } from './list.ts'

/** What is asked of a list, by a call or a page. */
export interface ListAsked {
  limit: number
  cursor?: string | undefined
  q?: string | undefined
}

/**
 * A page of a short list that is read completely. The cursor names the last item by its key, so that the next page continues
 * there, whatever was added in the meantime.
 *
 * @param items in the order that `keys` names, throughout
 */
export function pageOf<T>(items: readonly T[], { limit, cursor, q }: ListAsked, keys: ListKeys<T>): ListPart<T> {
  const { key, texts, isReversed = false } = keys
  const found = q === undefined ? items : items.filter((item) => includes(texts(item), q))
  const from = cursor === undefined ? 0 : behind(found.map(key), decoded(cursor), isReversed)
  const page = found.slice(from, from + limit)
  const last = page.at(-1)
  const isMore = from + page.length < found.length
  return { items: page, next: isMore && last !== undefined ? cursorOf(key(last)) : null }
}

interface ListKeys<T> {
  /** Unique; the list is ordered by it. */
  key: (item: T) => string
  /** Whether the list has the last key first. One item that is left of a list does not show it. */
  isReversed?: boolean
  /** The texts that a search looks in. */
  texts: (item: T) => readonly string[]
}

const includes = (texts: readonly string[], q: string): boolean => {
  const wanted = q.toLowerCase()
  return texts.some((text) => text.toLowerCase().includes(wanted))
}

/** Where the list continues after a key, which may be gone by now. */
function behind(keys: readonly string[], after: string, isReversed: boolean): number {
  const at = keys.findIndex((key) => (isReversed ? key < after : key > after))
  return at < 0 ? keys.length : at
}

export const cursorOf = <Place extends string | null>(place: Place) =>
  (place === null ? null : Buffer.from(place).toString('base64url')) as Place

/** The place that a cursor names. @throws ApiError `invalid` for an invalid cursor */
export function decoded(cursor: string): string {
  const place = Buffer.from(cursor, 'base64url').toString()
  if (cursorOf(place) === cursor) return place
  throw new ApiError('invalid', 'No list returned this cursor. Start without a cursor.')
}

/**
 * The place that a cursor of a list names, in the parts of the pattern; `null`: there is no cursor.
 *
 * @throws ApiError `invalid` for a cursor that this list did not return
 */
export function placeIn(cursor: string | null | undefined, pattern: RegExp): readonly string[] | null {
  if (cursor === null || cursor === undefined) return null
  const [, ...parts] = pattern.exec(decoded(cursor)) ?? []
  if (parts.length > 0) return parts
  throw new ApiError('invalid', 'This list did not return this cursor. Start without a cursor.')
}

/** The place of a list whose places are numbers of up to so many digits. @throws ApiError `invalid` */
export const numberIn = (cursor: string | null | undefined): string | null =>
  placeIn(cursor, /^(\d{1,15})$/)?.[0] ?? null
