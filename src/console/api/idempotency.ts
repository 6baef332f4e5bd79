import type { Clock } from '../../lib/clock.ts'
import { newSecret } from '../../lib/sign.ts'
import { type Caller, callerKey } from '../access/caller.ts'
import { ApiError } from './api-error.ts'

/** The answer to a request with an `Idempotency-Key`, kept for a day. */
export interface KeptAnswer {
  /** SHA-256 in hex of method, path and body. */
  requestHash: string
  status: number
  /** JSON text, encrypted under the caller's key; `null`: it was too large to be kept. */
  body: string | null
}

export const idempotencyKeptMs = 86_400_000
export const idempotencyKeyCharactersMax = 200

/**
 * Stored answers, by caller and key.
 *
 * Guarantees: of two calls that begin with the same key, one gets `'begun'`. The key is held for as long as the call takes; if its
 * process dies, the key is free again after a minute.
 */
export interface IdempotencyStore {
  begin(
    caller: string,
    key: string,
    request: { hash: string; now: number },
  ): Promise<'begun' | 'under_way' | KeptAnswer>
  end(caller: string, key: string, answer: KeptAnswer): Promise<void>
  /** The call failed for a reason that may be gone at the next try. */
  forget(caller: string, key: string): Promise<void>
  eraseBefore(at: number): Promise<number>
}

/** Of an answer that is repeated. Of a longer one, only that the call was carried out is known. */
const keptBytesMax = 65_536

/**
 * Runs a POST once for its `Idempotency-Key`; the same request again gets the same answer.
 *
 * @param content the body, or what stands for it if it was a stream
 * @throws ApiError `key_reused`, `done_before`
 */
export async function once(
  { call, content }: { call: { caller: Caller; request: Request }; content: Uint8Array | string },
  { idempotency, clock }: { idempotency: IdempotencyStore; clock: Pick<Clock, 'now'> },
  run: () => Promise<Response>,
): Promise<Response> {
  if (call.request.method !== 'POST') return run()
  const key = call.request.headers.get('idempotency-key')
  if (key === null) return run()
  if (key === '' || key.length > idempotencyKeyCharactersMax) {
    throw new ApiError('invalid', `An Idempotency-Key must have 1 to ${idempotencyKeyCharactersMax} characters.`)
  }
  const caller = callerKey(call.caller)
  const name = sealName(key)
  const requestHash = hashOf(call.request, content)
  const kept = await idempotency.begin(caller, name, { hash: requestHash, now: clock.now() })
  if (kept === 'under_way')
    throw new ApiError('conflict', 'The first call with this Idempotency-Key is still under way.', retrySoon)
  if (kept !== 'begun') {
    if (kept.requestHash !== requestHash) throw new ApiError('key_reused')
    if (kept.body === null) throw new ApiError('done_before')
    return new Response(await unsealed(kept.body, key), {
      status: kept.status,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    })
  }
  try {
    const answer = await run()
    const body = await answer.clone().text()
    const keptBody = body.length <= keptBytesMax ? await sealed(body, key) : null
    await idempotency.end(caller, name, { requestHash, status: answer.status, body: keptBody })
    return answer
  } catch (error) {
    await idempotency.forget(caller, name)
    throw error
  }
}

const retrySoon = { 'retry-after': '2' }

function hashOf({ method, url }: Request, content: Uint8Array | string): string {
  const { pathname, search } = new URL(url)
  return new Bun.CryptoHasher('sha256').update(`${method} ${pathname}${search}\n`).update(content).digest('hex')
}

const nonceBytes = 12

/**
 * Encrypts an answer under the key that its caller chose, with AES-256-GCM (NIST SP 800-38D). Answers contain tokens and links that
 * the box otherwise stores only as hashes. The database has a hash of the key, not the key.
 */
async function sealed(text: string, key: string): Promise<string> {
  const iv = new Uint8Array(newSecret(nonceBytes))
  const bytes = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv },
    await cipherKey(key),
    new TextEncoder().encode(text),
  )
  return Buffer.concat([iv, new Uint8Array(bytes)]).toString('base64')
}

/** @throws when the text was not encrypted under this key */
async function unsealed(text: string, key: string): Promise<string> {
  const bytes = Buffer.from(text, 'base64')
  const iv = bytes.subarray(0, nonceBytes)
  const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await cipherKey(key), bytes.subarray(nonceBytes))
  return new TextDecoder().decode(plain)
}

/** The name under which the answer is stored: SHA-256 in hex. */
const sealName = (key: string): string => Bun.SHA256.hash(`name of an answer\n${key}`, 'hex')

const cipherKey = (key: string): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    'raw',
    Buffer.from(Bun.SHA256.hash(`seal of an answer\n${key}`, 'hex'), 'hex'),
    'AES-GCM',
    false,
    ['encrypt', 'decrypt'],
  )
