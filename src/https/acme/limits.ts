/** Time limits for an authority. */
export interface AcmeLimits {
  /** One request, up to the last byte of its answer. */
  requestMsMax: number
  /** From the request for validation to its result, and from finalizing an order to its certificate. */
  orderMsMax: number
  /** The interval of polling without a `Retry-After`, which is clamped to these limits. */
  pollMsMin: number
  pollMsMax: number
}

export const defaultLimits: AcmeLimits = {
  requestMsMax: 30_000,
  orderMsMax: 180_000,
  pollMsMin: 1_000,
  pollMsMax: 30_000,
}
