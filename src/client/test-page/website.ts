import { type ConnectedDomain, websiteMark } from './data.ts'
import type { Exchange } from './exchange.ts'
import { recordExchanges } from './record-exchanges.ts'

/** A frame that plays a website with a domain's script, under a policy that names only that domain. */
export interface Website {
  window: WebsiteWindow
  /** Every request of the frame, including the script's own. */
  exchanges: Exchange[]
  /** Embeds the script as websites do. @throws if the browser cannot load it */
  embed(trackingKey: string | null): Promise<void>
  /** Sends a request from the frame; never rejects. */
  ask(url: string, init?: RequestInit): Promise<Exchange>
}

type WebsiteWindow = Window &
  typeof globalThis & {
    svc?: (...command: unknown[]) => void
    /** The consent signal, under its configured name. */
    [signal: string]: unknown
  }

const timeoutMs = 15_000

/** The page's address expired while it was open, or was withdrawn. */
export class AddressEnded extends Error {}

export async function openWebsite(frame: HTMLIFrameElement, { host, origin }: ConnectedDomain): Promise<Website> {
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
  frame.src = `${location.pathname}${location.search}&domain=${encodeURIComponent(host)}`
  await loaded
  const window = frame.contentWindow as WebsiteWindow | null
  if (!window?.document.getElementById(websiteMark)) throw new AddressEnded()
  const exchanges = recordExchanges(window)
  return {
    window,
    exchanges,
    embed: (trackingKey) => embedded(window, `${origin}/_svc/v1.js`, trackingKey),
    async ask(url, init = {}) {
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
