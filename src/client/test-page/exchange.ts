/** A request and what came of it, as the browser lets a page see it. */
export interface Exchange {
  method: string
  url: string
  headers: [name: string, value: string][]
  body: string | null
  /** `null` while there is none, and for ever when the browser shows none. */
  answer: ExchangeAnswer | null
  /** What the browser says in place of an answer. */
  error: string | null
}

export interface ExchangeAnswer {
  status: number
  headers: [name: string, value: string][]
  body: string
}

/** The answer's JSON object; empty when it is none. */
export function bodyOf(answer: ExchangeAnswer | null): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(answer?.body ?? '')
    return typeof body === 'object' && body !== null ? { ...body } : {}
  } catch {
    return {}
  }
}

/** The code of the spec in a refusal; `null`: there is none. */
export function errorCodeOf(exchange: Exchange): string | null {
  const { error } = bodyOf(exchange.answer)
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : null
}
