/** What one attempt at a delivery came to. */
export interface Attempt {
  /** `gone`: the receiver wants no more (410), so that its destination is paused. */
  outcome: 'delivered' | 'failed' | 'gone'
  /** The receiver's code, of HTTP or SMTP; `null`: it never answered. */
  status: number | null
  /** One sentence that says what to do; `null`: nothing. A mail may be delivered and have a recipient to mend. */
  error: string | null
  /** Another try would be wrong, or could tell the receiver twice what it may be told once. Absent: it is tried again. */
  isLast?: boolean
  /** How long the receiver asks to be left alone; `null`: it says nothing. */
  retryAfterMs: number | null
  /** The dialogue as it happened, without secrets, at most `exchangeCharactersMax` long. */
  exchange: string
}

const exchangeCharactersMax = 16_384

/** Cut to what is kept of an exchange. */
export const boundedExchange = (text: string): string =>
  text.length <= exchangeCharactersMax ? text : `${text.slice(0, exchangeCharactersMax - cutMark.length)}${cutMark}`

const cutMark = '\n[cut here]'
