import { counterMark, type RequestLine } from '../raw-request.ts'
import { benchSite } from '../site.ts'
import type { BenchPath, Visitor } from './path.ts'

const batchEvents = 20

export const eventPath: BenchPath = {
  name: 'event',
  title: 'event batch of 1, with a `url`',
  bare: 'echo',
  bareStatus: 200,
  status: 202,
  nativeTarget: '/e',
  ratioMin: 0.35,
  records: 1,
  request: (visitor) => eventRequest(visitor, 1),
}

export const batchPath: BenchPath = {
  name: 'batch',
  title: 'event batch of 20, each with a `url`',
  bare: 'echo',
  bareStatus: 200,
  status: 202,
  nativeTarget: '/e',
  ratioMin: 0.06,
  records: batchEvents,
  request: (visitor) => eventRequest(visitor, batchEvents),
}

function eventRequest({ cookie }: Visitor, events: number): RequestLine {
  return {
    method: 'POST',
    target: '/_svc/e',
    headers: {
      Host: benchSite.host,
      Origin: benchSite.origin,
      'Content-Type': 'application/json',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36',
      'X-SVC-Site-Key': benchSite.trackingKey,
      'X-SVC-Consent': 'granted',
      Cookie: cookie,
    },
    body: JSON.stringify({ events: Array.from({ length: events }, (_, position) => pageEvent(position)) }),
  }
}

/** A query with something to lift out, something to remove and something to keep. */
function pageEvent(position: number): object {
  const url = `${benchSite.origin}/products/${position}?utm_source=newsletter&utm_campaign=spring&item=${counterMark}&email=a%40mail.example`
  return { event: 'product_viewed', properties: { url, position, price: 19.9 } }
}
