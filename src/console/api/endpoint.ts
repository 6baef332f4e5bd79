import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import type { Publisher } from '../../account/publisher.ts'
import type { Scope } from '../../account/scope.ts'
import type { KnownRevisions } from '../../lib/revision.ts'
import { sentStream } from '../../lib/sent-stream.ts'
import {
  type Act,
  type ActInput,
  type Done,
  type InputSchema,
  type NotedResult,
  subjectOf,
} from '../../operations/act.ts'
import type { ActName } from '../../operations/act-words.ts'
import type { OnRecordNotice } from '../../operations/record/catch-up.ts'
import type { Caller } from '../access/caller.ts'
import type { Requirement } from '../access/permission.ts'
import type { ConsoleBox } from '../console-box.ts'
import { loggedBreak } from '../log-failure.ts'
import { publisherOf } from '../publisher.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

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
  audited?: ActName | ((query: Static<Q>) => ActName | null)
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

/** Who does an act through the API or a page. */
export type ActingCaller = Publisher & { caller: Caller; onNotice: OnRecordNotice }

export const acting = (caller: Caller): ActingCaller => ({ ...publisherOf(caller), caller, onNotice: () => {} })

/** How an act is called. */
interface Presented<In> {
  method: Exclude<Method, 'GET'>
  /** Below `/api/v1`, with `:names`; members of the act's input by these names are read there. */
  path: string
  /** Where the rest of its input stands; absent: there is none. */
  sends?: 'query' | 'body'
  /** Members of the input that this address does not take. */
  without?: readonly string[]
  status?: 201
  ifMatch?: 'optional'
  answersETag?: true
  /** Instead of the act's, where one of two addresses does a part of it. */
  summary?: string
  /** The input, where it is not what was sent. @throws ApiError */
  input?(call: ApiCall): Partial<In> & object
}

/** The endpoint of an act. */
export function actEndpoint<Of extends 'account' | 'box', I extends InputSchema, A extends TSchema>(
  act: Act<Of, I, A, never, never, Done<Static<A>>>,
  { method, path, sends, without = [], input: more, summary = act.text, ...endpoint }: Presented<ActInput<Of, I>>,
): ApiEndpoint {
  const elsewhere = [...(path.match(/(?<=:)\w+/g) ?? []), ...without]
  const inputOf = (call: ApiCall) => {
    const sent = { ...call.params, ...(sends === 'query' && (call.query as object)), ...(call.body as object) }
    return { ...sent, known: call.known, ...more?.(call) } as unknown as ActInput<Of, I>
  }
  const { name, of, scope, right, ownersOnly, asksAgain, answer } = act
  return {
    ...{ of, method, path, summary, scope, asksAgain, answer, audited: name, ...endpoint },
    ...(ownersOnly && { ownersOnly }),
    ...(right !== undefined && { right }),
    ...(sends !== undefined && { [sends]: sentHere(act.input, { elsewhere, isClosed: sends === 'body' }) }),
    subject: (call: ApiCall, box: ConsoleBox) => subjectOf(act, inputOf(call), box as never),
    async run(call: ApiCall, box: ConsoleBox) {
      const done = await act.run(box as never, inputOf(call), acting(call.caller) as never)
      const { answer: value, revision, ...noted } = done
      return { value, ...noted, ...(revision !== undefined && { headers: etagOf(revision) }) }
    },
  } as unknown as ApiEndpoint
}

/** The members that the path does not name. Several sets of members are sent as they are. */
function sentHere(
  input: InputSchema,
  { elsewhere, isClosed }: { elsewhere: string[]; isClosed: boolean },
): InputSchema {
  if (!('properties' in input)) return input
  const rest = Object.entries<TSchema>(input.properties).filter(([name]) => !elsewhere.includes(name))
  return Type.Object(Object.fromEntries(rest), isClosed ? { additionalProperties: false } : {})
}
