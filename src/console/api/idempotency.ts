/** What a request with an `Idempotency-Key` was answered; kept for a day. */
export interface KeptAnswer {
  /** SHA-256 in hex of method, path and body. */
  requestHash: string
  status: number
  /** JSON text, sealed under the caller's key. */
  body: string
}

export const idempotencyKeptMs = 86_400_000
export const idempotencyKeyCharactersMax = 200

/**
 * Answers by caller and key.
 *
 * Guarantees: of two calls that begin with the same key, one is told `'begun'`; a key whose call never ended is free again
 * after a minute.
 */
export interface IdempotencyStore {
  begin(
    caller: string,
    key: string,
    request: { hash: string; now: number },
  ): Promise<'begun' | 'under_way' | KeptAnswer>
  end(caller: string, key: string, answer: KeptAnswer): Promise<void>
  /** The call failed for a reason that another try may not meet. */
  forget(caller: string, key: string): Promise<void>
  eraseBefore(at: number): Promise<number>
}
