import type { CameFrom } from './happening.ts'

/** A way to a page: what the address carries, what refers to it, and where that is from. */
export interface Arrival {
  /** Without `?`. */
  query: string
  referer: string | null
  from: CameFrom
}

const arrival = (query: string, referer: string | null, [source, medium, campaign = null]: Words): Arrival => ({
  query,
  referer,
  from: { source, medium, campaign },
})

type Words = [source: string, medium: string, campaign?: string | null]

/** By a bookmark, or typed. */
export const byItself: Arrival = arrival('', null, ['direct', 'none'])

/** From another page of the same host, which tells nothing new. */
export const onSite = (host: string): Arrival => ({ ...byItself, referer: `https://${host}/terms` })

/** Campaigns go before referrers, and these before nothing at all. */
export const arrivals: readonly Arrival[] = [
  byItself,
  arrival('', 'https://www.google.com/', ['google', 'organic']),
  arrival('', 'https://www.google.co.uk/', ['google', 'organic']),
  arrival('', 'https://www.bing.com/search', ['bing', 'organic']),
  arrival('', 'https://www.linkedin.com/feed/', ['linkedin', 'social']),
  arrival('', 'https://l.instagram.com/', ['instagram', 'social']),
  arrival('', 'https://mail.google.com/', ['gmail', 'email']),
  arrival('', 'https://blog.partner.example/post', ['blog.partner.example', 'referral']),
  arrival('gclid=EAIaIQobChMI', 'https://www.google.com/', ['google', 'cpc']),
  arrival('fbclid=IwAR0x', 'https://l.facebook.com/', ['facebook', 'social']),
  arrival('utm_source=Newsletter&utm_medium=Email&utm_campaign=autumn', null, ['newsletter', 'email', 'autumn']),
  arrival('utm_source=poster&utm_campaign=autumn', 'https://www.google.com/', ['poster', 'campaign', 'autumn']),
  arrival('utm_campaign=autumn', null, ['unknown', 'campaign', 'autumn']),
]
