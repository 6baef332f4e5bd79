import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { oneOf, orNull } from '../../lib/schema.ts'
import type { ActName } from '../../operations/act-words.ts'
import { noticeWords, type OnRecordNotice, type RecordNotice } from '../../operations/record/catch-up.ts'
import { type Column, csvLine, fields } from '../../report/csv.ts'
import type { ConsoleBox } from '../console-box.ts'
import { ApiError } from './api-error.ts'
import {
  type AccountCall,
  type AccountEndpoint,
  type ApiAnswer,
  type ApiCall,
  type ApiEndpoint,
  accountEndpoint,
  type BoxEndpoint,
  boxEndpoint,
} from './endpoint.ts'

const limitDefault = 50
const listLimitMax = 1000

/** The parameters of every list. */
const listQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: listLimitMax, default: limitDefault }),
  cursor: Type.Optional(Type.String({ maxLength: 1000 })),
  q: Type.Optional(Type.String({ maxLength: 200 })),
  format: oneOf(['json', 'csv'], { default: 'json' }),
})

type ListQuery = Static<typeof listQuery>

/** A page of a list. */
export interface ListPart<T> {
  items: T[]
  /** The cursor of the next page; `null`: this is the last one. */
  next: string | null
}

/** A column with the name of a member, or with a cell of its own. */
type ListColumn<T> = { [K in keyof T]: T[K] extends Cell ? K & string : never }[keyof T] | Column<T>
type Cell = string | number | boolean | null

interface ListDescribed<I extends TSchema, Q extends TObject, Call> {
  /** What the list is of. */
  item: I
  /** Parameters besides those of every list. */
  query?: Q
  /** Members of the answer beside the items. */
  beside?: TObject
  /** For `format=csv`. */
  columns: readonly ListColumn<Static<I>>[] | ((call: Call) => Column<Static<I>>[])
  /** @param onNotice told what the page lacks */
  read(call: Call, box: ConsoleBox, onNotice: OnRecordNotice): Promise<ListPart<Static<I>>>
}

type Rest<E extends ApiEndpoint> = Omit<E, 'of' | 'method' | 'query' | 'answer' | 'run' | 'audited'> & {
  audited?: (query: ListQuery) => ActName | null
}

/** Declares a list below `/accounts/:account`. */
export const accountList = <I extends TSchema, Q extends TObject = TObject>(
  list: ListDescribed<I, Q, AccountCall<ListQuery & Static<Q>>> & Rest<AccountEndpoint>,
): AccountEndpoint => accountEndpoint({ ...list, ...listing(list) } as never)

/** Declares a list of the box. */
export const boxList = <I extends TSchema, Q extends TObject = TObject>(
  list: ListDescribed<I, Q, ApiCall<ListQuery & Static<Q>>> & Rest<BoxEndpoint>,
): BoxEndpoint => boxEndpoint({ ...list, ...listing(list) } as never)

const listing = <I extends TSchema, Q extends TObject, Call extends ApiCall<ListQuery>>({
  item,
  query = Type.Object({}) as Q,
  beside = Type.Object({}),
  columns,
  read,
}: ListDescribed<I, Q, Call>) => ({
  method: 'GET',
  query: Type.Composite([listQuery, query]),
  answer: Type.Composite([
    Type.Object({ items: Type.Array(item), next: orNull(Type.String()), ...noticesMember }),
    beside,
  ]),
  async run(call: Call, box: ConsoleBox): Promise<ApiAnswer<unknown>> {
    const notices = new AnswerNotices()
    const part = await read(call, box, notices.onNotice)
    if (call.query.format === 'json') return { value: { ...part, ...notices.member() } }
    const shown = typeof columns === 'function' ? columns(call) : columns.flatMap(columnsOf)
    return csvAnswer(part, call.request.url, { columns: shown, headers: notices.headers() })
  },
})

const columnsOf = <T>(column: ListColumn<T>): Column<T>[] =>
  typeof column === 'string' ? fields<T>(column) : [column as Column<T>]

/** CSV with the address of the next page in `Link` (RFC 8288). */
function csvAnswer<T>(
  { items, next }: ListPart<T>,
  url: string,
  { columns, headers: more }: { columns: Column<T>[]; headers: Record<string, string> },
): Response {
  const headers = new Headers({
    ...more,
    'content-type': 'text/csv; charset=utf-8',
    'cache-control': 'no-store',
    'content-disposition': 'attachment; filename="list.csv"',
  })
  if (next !== null) headers.set('link', `<${nextAddress(url, next)}>; rel="next"`)
  const lines = [columns.map(({ header }) => header), ...items.map((item) => columns.map(({ cell }) => cell(item)))]
  return new Response(lines.map((cells) => csvLine(cells)).join(''), { headers })
}

function nextAddress(url: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url)
  searchParams.set('cursor', cursor)
  return `${pathname}?${searchParams}`
}

/** What an answer lacks, in the words of the commands. */
export class AnswerNotices {
  private readonly words: string[] = []

  readonly onNotice = (notice: RecordNotice): void => {
    this.words.push(noticeWords(notice))
  }

  /** Beside CSV, which has no room for words: how many there are. */
  headers(): Record<string, string> {
    return this.words.length === 0 ? {} : { 'x-capture-notices': `${this.words.length}` }
  }

  /** A member of the answer; none if it is whole. */
  member(): { notices?: string[] } {
    return this.words.length === 0 ? {} : { notices: this.words }
  }
}

/** Its schema. */
export const noticesMember = {
  notices: Type.Optional(
    Type.Array(Type.String(), {
      description: 'What is missing, such as records that are still being processed; absent: nothing is',
    }),
  ),
}

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
function decoded(cursor: string): string {
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
