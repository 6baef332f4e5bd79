/** What the box tells the page about the account; the page contains it as JSON. */
export interface TestPageData {
  account: { handle: string; name: string }
  domains: ConnectedDomain[]
  /** Registered forms. `asks`: whether visitors are asked by mail to confirm. */
  forms: { id: string; name: string; asks: boolean }[]
  botCheckProvider: string
  /** When the page's address stops working, epoch milliseconds. */
  expiresAt: number
  /** The same page on an origin of its own; `null`: it is already there. */
  thirdPartyUrl: string | null
}

export interface ConnectedDomain {
  host: string
  /** How a browser reaches it: `https://go.acme.example`. */
  origin: string
}

/** The id of the element that holds the data. */
export const dataElementId = 'test-page-data'

/** Is in the empty website, and in nothing else that the address could answer with. */
export const websiteMark = 'test-page-website'
