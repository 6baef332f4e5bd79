import { bodyOf, type Exchange, type ExchangeAnswer } from './exchange.ts'

const bodyCharactersMax = 4_000
/** A page may stay open while forms are sent by hand again and again. */
const exchangesMax = 100

/**
 * Records every `fetch` of a window, including the script's own. An accepted form's `redirectUrl` is recorded and then
 * removed from the answer, so that the frame stays where it is.
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
  // Pages cannot set these headers, and the box decides by them.
  if (url.origin !== window.origin || method !== 'GET') headers.unshift(['origin', window.origin])
  const body = typeof init.body === 'string' ? init.body : null
  return { method, url: url.href, headers, body, answer: null, error: null }
}

/** Somebody who has just changed the settings must not see the ones that the browser keeps for a minute. */
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
