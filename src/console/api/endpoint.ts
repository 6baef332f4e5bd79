import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import type { Scope } from '../../account/scope.ts'
import type { KnownRevisions } from '../../lib/revision.ts'
import { sentStream } from '../../lib/sent-stream.ts'
import type { NotedResult } from '../../operations/act.ts'
import type { Caller } from '../access/caller.ts'
import type { Requirement } from '../access/permission.ts'
import type { ConsoleBox } from '../console-box.ts'
import { loggedBreak } from '../log-failure.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** One call of an endpoint, once every check has passed. */
export interface ApiCall<Q = unknown, B = unknown> {
  caller: Caller
  /** Of the client. */
  address: string
  request: Request
  /** The named parts of the path, decoded. */
  params: Readonly<Record<string, string>>
  query: Q
  body: B
  /** What it may overwrite, from `If-Match`; `null`: whatever is there. */
  known: KnownRevisions
  /**
   * The caller with the rights of now. An endpoint that reads a large body itself asks once more when it has arrived: meanwhile a token
   * may have been revoked, a user removed.
   *
   * @throws ApiError as the call itself
   */
  callerNow(): Promise<Caller>
}

/** A call about one account that the caller has access to. */
export interface AccountCall<Q = unknown, B = unknown> extends ApiCall<Q, B> {
  account: StoredAccount
  /** `masked`: personal fields are left out of the answer. */
  view: 'whole' | 'masked'
}

/** An endpoint's answer: a value of its schema, or bytes. */
export type ApiAnswer<A> = ({ value: A; headers?: Record<string, string> } & NotedResult) | Response

interface Described<Q extends TObject, B extends TSchema, A extends TSchema> {
  method: Method
  /** Below `/api/v1`, with `:names`. */
  path: string
  /** For the OpenAPI document: a verb and its object. */
  summary: string
  query?: Q
  /** Of a JSON body; absent: the endpoint takes no body, or reads the request itself. */
  body?: B
  /** The media types of a body that the endpoint reads itself. */
  takes?: readonly string[]
  answer: A
  /** Status of the answer: 201 if the call created something; absent: 200. */
  status?: 201
  /** The media type of an answer in bytes or as a stream; absent: JSON. */
  produces?: string
  /** The user must have confirmed their identity within the last ten minutes. */
  asksAgain?: boolean
  /** The action in the audit log; absent or `null`: a read that is not recorded. */
  audited?: string | ((query: Static<Q>) => string | null)
  /**
   * What the audit log names as its object, looked up before the endpoint runs; absent: what the path names last. An answer
   * with a `subject` replaces it.
   */
  subject?(call: AccountCall, box: ConsoleBox): Promise<string>
  /** The answer has an `ETag`. */
  answersETag?: true
  /** Whether a call may name, or must, the ETag of what it overwrites; absent: there is none. */
  ifMatch?: 'optional' | 'required'
}

/** An endpoint below `/accounts/:account`. */
export interface AccountEndpoint<Q extends TObject = TObject, B extends TSchema = TSchema, A extends TSchema = TSchema>
  extends Described<Q, B, A>,
    Requirement {
  of: 'account'
  /** Only owners of the box and tokens of the box may call it, although it concerns an account. */
  ownersOnly?: true
  run(call: AccountCall<Static<Q>, Static<B>>, box: ConsoleBox): Promise<ApiAnswer<Static<A>>>
}

/** An endpoint of the whole box. */
export interface BoxEndpoint<Q extends TObject = TObject, B extends TSchema = TSchema, A extends TSchema = TSchema>
  extends Described<Q, B, A> {
  of: 'box'
  /** `signed_in`: any user; for the user's own data and lists of what the caller has access to. */
  scope: Scope | 'signed_in'
  run(call: ApiCall<Static<Q>, Static<B>>, box: ConsoleBox): Promise<ApiAnswer<Static<A>>>
}

export type ApiEndpoint = AccountEndpoint | BoxEndpoint

/** Declares an endpoint of an account; its schemas give the types of its parameters and answer. */
export const accountEndpoint = <Q extends TObject, B extends TSchema, A extends TSchema>(
  endpoint: Omit<AccountEndpoint<Q, B, A>, 'of'>,
): AccountEndpoint => ({ ...endpoint, of: 'account' }) as AccountEndpoint<Q, B, A> as unknown as AccountEndpoint

/** Declares an endpoint of the box. */
export const boxEndpoint = <Q extends TObject, B extends TSchema, A extends TSchema>(
  endpoint: Omit<BoxEndpoint<Q, B, A>, 'of'>,
): BoxEndpoint => ({ ...endpoint, of: 'box' }) as BoxEndpoint<Q, B, A> as unknown as BoxEndpoint

/** What an endpoint returned, as JSON. */
export const jsonAnswer = ({ value, headers = {} }: Exclude<ApiAnswer<unknown>, Response>, status = 200): Response =>
  // Captured numbers keep their digits, which Response.json would round.
  new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })

export const etagOf = (revision: string): { etag: string } => ({ etag: `"${revision}"` })

/** So much of an answer is known before its first byte leaves. */
const heldCharactersMax = 65_536

/**
 * A text that is read while it is sent, and that nobody takes for whole where it cannot be read to its end: a short one is
 * refused; a long one, of which a part has left by then, breaks off.
 */
export async function wholeAnswer(
  chunks: AsyncIterable<string>,
  { log }: Pick<ConsoleBox, 'log'>,
): Promise<ReadableStream<Uint8Array>> {
  const rest = chunks[Symbol.asyncIterator]()
  let begun = ''
  while (begun.length <= heldCharactersMax) {
    const { done, value } = await rest.next()
    if (done === true) break
    begun += value
  }
  return sentStream(joined(begun, rest), { onFailure: loggedBreak(log) })
}

async function* joined(begun: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    yield begun
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
