/** How long the client waits for an authority. */
export interface AcmeLimits {
  /** One request, to the last byte of its answer. */
  requestMsMax: number
  /** From the request to look at a host to the verdict, and from the last request of an order to its certificate. */
  orderMsMax: number
  /** Between two looks at an order, where the authority does not say; what it says is kept between these. */
  pollMsMin: number
  pollMsMax: number
}

export const defaultLimits: AcmeLimits = {
  requestMsMax: 30_000,
  orderMsMax: 180_000,
  pollMsMin: 1_000,
  pollMsMax: 30_000,
}
