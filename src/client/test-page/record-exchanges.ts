import { bodyOf, type Exchange, type ExchangeAnswer } from './exchange.ts'

const bodyCharactersMax = 4_000
/** A page that is left open while forms are sent by hand again and again. */
const exchangesMax = 100

/**
 * Has every `fetch` of a window written down, the script's own included. An accepted form's `redirectUrl` is written
 * down and then taken out of the answer: the frame is to stay where it is.
 */
export function recordExchanges(window: Window & typeof globalThis): Exchange[] {
  const exchanges: Exchange[] = []
  const send = window.fetch.bind(window)

  window.fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const exchange = requested(window, input, init)
    exchanges.push(exchange)
    exchanges.splice(0, exchanges.length - exchangesMax)
    try {
      const response = await send(input, fresh(exchange, init))
      exchange.answer = await answered(response.clone())
      return withoutRedirect(response, exchange.answer)
    } catch (error) {
      exchange.error = String(error)
      throw error
    }
  }
  return exchanges
}

function requested(window: Window & typeof globalThis, input: RequestInfo | URL, init: RequestInit): Exchange {
  const url = new URL(typeof input === 'object' && 'url' in input ? input.url : input, window.location.href)
  const method = init.method ?? 'GET'
  const headers = [...new Headers(init.headers)]
  // Not ours to set, and what the box decides by.
  if (url.origin !== window.origin || method !== 'GET') headers.unshift(['origin', window.origin])
  const body = typeof init.body === 'string' ? init.body : null
  return { method, url: url.href, headers, body, answer: null, error: null }
}

/** Whoever has just changed the settings does not want to see those that the browser keeps for a minute. */
const fresh = ({ url }: Exchange, init: RequestInit): RequestInit =>
  new URL(url).pathname === '/_svc/rc' ? { ...init, cache: 'reload' } : init

async function answered(response: Response): Promise<ExchangeAnswer> {
  const text = await response.text()
  const body = text.length > bodyCharactersMax ? `${text.slice(0, bodyCharactersMax)}…` : text
  return { status: response.status, headers: [...response.headers], body }
}

function withoutRedirect(response: Response, answer: ExchangeAnswer): Response {
  const { redirectUrl, ...rest } = bodyOf(answer)
  if (redirectUrl === undefined) return response
  return new Response(JSON.stringify(rest), { status: answer.status, headers: answer.headers })
}
