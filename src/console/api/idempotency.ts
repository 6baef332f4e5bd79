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
