import type { FormConfiguration, RuntimeConfiguration } from '../requests.ts'
import { answerIn, type Exchange } from './checks.ts'
import { type ConnectedDomain, websiteMark } from './data.ts'
import type { DeclaredSchema } from './sample-fields.ts'

export type Website = Awaited<ReturnType<typeof openWebsite>>

type WebsiteWindow = Window &
  typeof globalThis & {
    svc?: (...command: unknown[]) => void
    /** The consent signal, under its configured name. */
    [signal: string]: unknown
  }

const timeoutMs = 15_000
const bodyCharactersMax = 4_000
/** A page may stay open while forms are sent by hand again and again. */
const exchangesMax = 100

/** The page's address expired while it was open, or was withdrawn. */
export class AddressEnded extends Error {}

/** Has a frame play a website with a domain's script, under a policy that names only that domain. */
export async function openWebsite(frame: HTMLIFrameElement, { host, origin }: ConnectedDomain) {
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
  frame.src = `${location.pathname}${location.search}&domain=${encodeURIComponent(host)}`
  await loaded
  const window = frame.contentWindow as WebsiteWindow | null
  if (!window?.document.getElementById(websiteMark)) throw new AddressEnded()
  const exchanges = recordExchanges(window)
  return {
    window,
    /** Every request of the frame, including the script's own. */
    exchanges,
    /** Embeds the script as websites do. @throws if the browser cannot load it */
    embed: (trackingKey: string | null) => embedded(window, `${origin}/_svc/v1.js`, trackingKey),
    /** Sends a request from the frame; never rejects. */
    async ask(url: string, init: RequestInit = {}): Promise<Exchange> {
      const before = new Set(exchanges)
      await window.fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined)
      const exchange = exchanges.find((one) => !before.has(one) && one.url === url)
      if (!exchange) throw new Error(`The request to ${url} was not recorded.`)
      return exchange
    },
  }
}

function embedded({ document }: WebsiteWindow, src: string, trackingKey: string | null): Promise<void> {
  const script = document.createElement('script')
  if (trackingKey !== null) script.dataset.siteKey = trackingKey
  return new Promise((resolve, reject) => {
    script.onload = () => resolve()
    script.onerror = () => reject(new Error(`The browser could not load ${src}`))
    script.src = src
    document.head.append(script)
  })
}

/**
 * Records every `fetch` of a window, including the script's own. An accepted form's `redirectUrl` is recorded and then
 * removed from the answer, so that the frame stays where it is.
 */
function recordExchanges(window: WebsiteWindow): Exchange[] {
  const exchanges: Exchange[] = []
  const send = window.fetch.bind(window)
  window.fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const exchange = requested(window, input, init)
    exchanges.push(exchange)
    exchanges.splice(0, exchanges.length - exchangesMax)
    // Somebody who has just changed the settings must not see the ones that the browser keeps for a minute.
    const isFresh = new URL(exchange.url).pathname === '/_svc/rc'
    try {
      const response = await send(input, isFresh ? { ...init, cache: 'reload' } : init)
      const text = await response.clone().text()
      const body = text.length > bodyCharactersMax ? `${text.slice(0, bodyCharactersMax)}…` : text
      const { status } = response
      exchange.answer = { status, headers: [...response.headers], body }
      const { redirectUrl, ...rest } = answerIn(exchange)
      return redirectUrl === undefined ? response : Response.json(rest, { status, headers: response.headers })
    } catch (error) {
      exchange.error = String(error)
      throw error
    }
  }
  return exchanges
}

function requested(window: WebsiteWindow, input: RequestInfo | URL, init: RequestInit): Exchange {
  const url = new URL(typeof input === 'object' && 'url' in input ? input.url : input, window.location.href)
  const method = init.method ?? 'GET'
  const headers = [...new Headers(init.headers)]
  // Pages cannot set these headers, and the box decides by them.
  if (url.origin !== window.origin || method !== 'GET') headers.unshift(['origin', window.origin])
  const body = typeof init.body === 'string' ? init.body : null
  return { method, url: url.href, headers, body, answer: null, error: null }
}

/** The runtime configuration (spec) as the page reads it. */
export interface Configuration extends RuntimeConfiguration {
  forms: Record<string, FormDeclaration | undefined>
}

export type FormDeclaration = Omit<FormConfiguration, 'schema'> & { schema?: DeclaredSchema }

/** The answer as a configuration; `null`: it is not one. */
export function configurationIn(exchange: Exchange): Configuration | null {
  const { v, originAuthorised, forms } = answerIn(exchange)
  const isOne = v === 1 && typeof originAuthorised === 'boolean' && typeof forms === 'object'
  return isOne ? (answerIn(exchange) as unknown as Configuration) : null
}
