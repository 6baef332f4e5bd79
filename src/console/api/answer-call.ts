import { Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import { ChangedMeanwhile, NotAllowed, NotThere, UnfitInput } from '../../lib/operator-error.ts'
import { sayable } from '../../operations/database/storage-fault.ts'
import type { Caller } from '../access/caller.ts'
import { permissionOn, permissionOnBox } from '../access/permission.ts'
import type { Arrived } from '../arrived.ts'
import { actorOf, doneBy, type NotedAct, noted } from '../audit/noted-act.ts'
import type { ConsoleBox } from '../console-box.ts'
import { isProved } from '../session/session.ts'
import { authenticate } from '../sign-in/authentication.ts'
import { ApiError } from './api-error.ts'
import {
  type AccountCall,
  type AccountEndpoint,
  type ApiAnswer,
  type ApiCall,
  type ApiEndpoint,
  type BoxEndpoint,
  etagOf,
  jsonAnswer,
} from './endpoint.ts'
import { once } from './idempotency.ts'
import { bodyWithin, jsonBytesMax, readJsonBody, readQuery } from './read-call.ts'

/**
 * Answers one call (docs/api.md). The order is guaranteed: the caller, the account, the permission,
 * and only then the content of the request.
 *
 * @throws ApiError
 */
export async function answerCall(endpoint: ApiEndpoint, arrived: Arrived, box: ConsoleBox): Promise<Response> {
  const { request, params, address } = arrived
  const caller = await knownCaller(endpoint, arrived, box)
  const allowed = await admitted(endpoint, { caller, arrived }, box)
  provedAgain(endpoint, caller, box)
  const query = readQuery(new URL(request.url).searchParams, endpoint.query ?? Type.Object({}))
  const known = knownRevisions(endpoint, request)
  const sent = await receivedBody(endpoint, request)
  const callerNow = async () => {
    const now = await knownCaller(endpoint, arrived, box)
    await admitted(endpoint, { caller: now, arrived }, box)
    return now
  }
  const call = { caller, address, request, params, query, known, body: sent?.value, callerNow, ...allowed }
  const answered = async () => {
    const answer = await run(endpoint, call, box)
    return answer instanceof Response ? answer : jsonAnswer(answer, endpoint.status)
  }
  return sent === null ? answered() : once({ call, content: sent.bytes }, box, answered)
}

/** The body, also where none is expected, since an `Idempotency-Key` stands for all of a call. `null`: the endpoint reads it itself. */
async function receivedBody(
  { body, takes }: ApiEndpoint,
  request: Request,
): Promise<{ value?: unknown; bytes: Uint8Array } | null> {
  if (takes !== undefined) return null
  return body === undefined ? { bytes: await bodyWithin(request, jsonBytesMax) } : readJsonBody(request, body)
}

/** @throws ApiError `unauthenticated`, `too_many` */
export async function knownCaller(
  endpoint: Pick<ApiEndpoint, 'method' | 'path'>,
  { request, address, secure }: Omit<Arrived, 'params'>,
  box: ConsoleBox,
): Promise<Caller> {
  const found = await authenticate(box, { headers: request.headers, address, secure })
  if ('caller' in found) return found.caller
  if (found.refused !== 'nobody') {
    const subject = found.tokenId ?? ''
    await box.refused.note({ kind: found.refused, endpoint: nameOf(endpoint), address, subject })
  }
  if (found.refused === 'too_many')
    throw new ApiError('too_many', undefined, { 'retry-after': String(found.retryAfterSeconds) })
  throw new ApiError('unauthenticated', undefined, { 'www-authenticate': 'Bearer' })
}

const nameOf = ({ method, path }: Pick<ApiEndpoint, 'method' | 'path'>): string => `${method} /api/v1${path}`

type Allowed = { account: StoredAccount; view: 'whole' | 'masked' } | object

/** What the caller may do here; whoever may not is noted, whether the account exists or not. */
async function admitted(
  endpoint: ApiEndpoint,
  { caller, arrived: { request, params, address } }: { caller: Caller; arrived: Arrived },
  box: ConsoleBox,
): Promise<Allowed> {
  const account = endpoint.of === 'account' ? await box.accounts.find(params.account ?? '') : null
  try {
    fromOwnPages(request, caller)
    return endpoint.of === 'account' ? permitted(endpoint, { caller, account }) : permittedOnBox(endpoint, caller)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const kind = error.code === 'cross_site' ? 'cross_site' : 'forbidden'
    const by = { actor: actorOf(caller), address }
    await box.refused.note({ kind, endpoint: nameOf(endpoint), accountId: account?.id ?? null, ...by })
    throw error
  }
}

/** The browser adds the session's cookie even to requests from other sites; it never adds a token. */
function fromOwnPages(request: Request, { kind }: Caller): void {
  if (kind === 'token') return
  const site = request.headers.get('sec-fetch-site')
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (site === 'same-origin' || (isRead && (site === 'none' || site === null))) return
  throw new ApiError('cross_site')
}

function permitted(
  endpoint: AccountEndpoint,
  { caller, account }: { caller: Caller; account: StoredAccount | null },
): Allowed {
  const permission = account === null ? 'unknown' : permissionOn(account.id, caller, endpoint)
  if (account === null || permission === 'unknown') throw new ApiError('not_found')
  if (permission === 'lacking') throw new ApiError('forbidden')
  if (endpoint.ownersOnly) permittedOnBox(endpoint, caller)
  return { account, view: permission }
}

function permittedOnBox({ scope }: Pick<BoxEndpoint, 'scope'>, caller: Caller): object {
  if (scope === 'signed_in' || permissionOnBox(caller, scope) === 'whole') return {}
  throw new ApiError('forbidden')
}

function provedAgain({ asksAgain }: ApiEndpoint, caller: Caller, { clock }: ConsoleBox): void {
  if (asksAgain && caller.kind === 'user' && !isProved(caller, clock.now())) throw new ApiError('prove_again')
}

async function run(endpoint: ApiEndpoint, call: ApiCall, box: ConsoleBox): Promise<ApiAnswer<unknown>> {
  try {
    const act = await auditedIn(endpoint, call, box)
    return await noted(act, box, {
      work: () => endpoint.run(call as never, box),
      resultOf: (answer) => (answer instanceof Response ? {} : answer),
    })
  } catch (error) {
    if (error instanceof NotThere) throw new ApiError('not_found')
    if (error instanceof ChangedMeanwhile) throw new ApiError('changed_meanwhile', undefined, etagOf(error.revision))
    if (error instanceof NotAllowed) throw new ApiError('forbidden', error.message)
    if (error instanceof UnfitInput) throw new ApiError('invalid', error.message)
    const fault = sayable(error)
    if (fault !== null) throw new ApiError('conflict', withoutSent(fault.message, call))
    throw error
  }
}

/** What the audit log will say about a call; `null`: nothing. Called before the endpoint runs, because an erasure deletes its object. */
async function auditedIn(
  { audited, subject, path }: ApiEndpoint,
  call: ApiCall,
  box: ConsoleBox,
): Promise<NotedAct | null> {
  const action = typeof audited === 'function' ? audited(call.query as never) : audited
  if (action === undefined || action === null) return null
  const { account } = call as Partial<AccountCall>
  return {
    action,
    accountId: account?.id ?? null,
    subject: (await subject?.(call as AccountCall, box)) ?? call.params[lastName(path)] ?? '',
    by: doneBy(call),
  }
}

/** The last name in a path such as `/accounts/:account/submissions/:submission/release`. */
const lastName = (path: string): string => path.match(/(?<=:)\w+/g)?.at(-1) ?? ''

/** Shorter values are words that a message may contain anyway. */
const charactersMin = 3

/** A message without the values that the caller sent: one may be a secret in the wrong place, and would end up in their logs. */
export function withoutSent(
  message: string,
  { params, query, body }: Pick<ApiCall, 'params' | 'query' | 'body'>,
): string {
  const values = [...texts(params), ...texts(query), ...texts(body)].filter(({ length }) => length >= charactersMin)
  // Longest first: one value may be part of another.
  return values
    .sort((one, other) => other.length - one.length)
    .reduce((text, value) => text.replaceAll(value, '…'), message)
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}

/**
 * The revisions that a call names in `If-Match`, without quotes; `null`: it applies to any. The operation compares them, under the
 * lock with which it writes.
 *
 * @throws ApiError 428 without `If-Match` where a call overwrites something (RFC 6585 section 3); 412 where there is no ETag that it
 * could name (RFC 9110 section 13.1.1)
 */
function knownRevisions({ method, ifMatch }: ApiEndpoint, { headers }: Request): string[] | null {
  const written = headers.get('if-match')
  if (written === null && ifMatch === 'required') throw new ApiError('precondition_required')
  const named = written?.split(',').map((tag) => tag.trim().replaceAll('"', '')) ?? ['*']
  if (method === 'GET' || named.includes('*')) return null
  if (ifMatch === undefined) throw new ApiError('changed_meanwhile', 'This address takes no If-Match. Leave it out.')
  return named
}
