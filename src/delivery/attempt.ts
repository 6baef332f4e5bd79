/** The outcome of one attempt at a delivery. */
export interface Attempt {
  /** `gone`: the receiver wants nothing more (410), so its destination is paused. */
  outcome: 'delivered' | 'failed' | 'gone'
  /** The receiver's code, of HTTP or SMTP; `null`: it never answered. */
  status: number | null
  /** One sentence that says what to do; `null`: nothing. A delivered mail may still have a recipient to correct. */
  error: string | null
  /** Another try would be wrong, or might repeat what the receiver may be told only once. Absent: it is retried. */
  isLast?: boolean
  /** How long the receiver asks to be left alone; `null`: it does not say. */
  retryAfterMs: number | null
  /** The dialogue as it happened, without secrets, at most `exchangeCharactersMax` long. */
  exchange: string
}

const exchangeCharactersMax = 16_384

/** Cut to the length that is kept of an exchange. */
export const boundedExchange = (text: string): string =>
  text.length <= exchangeCharactersMax ? text : `${text.slice(0, exchangeCharactersMax - cutMark.length)}${cutMark}`

const cutMark = '\n[cut here]'
