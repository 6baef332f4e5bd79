/** A request and its outcome, as far as the browser shows it to a page. */
export interface Exchange {
  method: string
  url: string
  headers: [name: string, value: string][]
  body: string | null
  /** `null` while there is none, and for good if the browser shows none. */
  answer: ExchangeAnswer | null
  /** The browser's own words if there is no answer. */
  error: string | null
}

export interface ExchangeAnswer {
  status: number
  headers: [name: string, value: string][]
  body: string
}

/** The answer's JSON object; empty if it is not one. */
export function bodyOf(answer: ExchangeAnswer | null): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(answer?.body ?? '')
    return typeof body === 'object' && body !== null ? { ...body } : {}
  } catch {
    return {}
  }
}

/** The spec's code in a refusal; `null`: none. */
export function errorCodeOf(exchange: Exchange): string | null {
  const { error } = bodyOf(exchange.answer)
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : null
}
