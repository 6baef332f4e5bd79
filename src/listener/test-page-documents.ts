/** A page for one request, with its minimal Content-Security-Policy. */
export interface TestPageDocument {
  html: string
  policy: string
}

/** The account's data on the test page: nothing secret, only what visitors of its sites can see. */
export interface TestPageData {
  account: { handle: string; name: string }
  /** The origins of connected domains. */
  domains: { host: string; origin: string }[]
  /** Registered forms. */
  forms: { id: string; name: string }[]
  botCheckProvider: string
  /** When the address expires, epoch milliseconds. */
  expiresAt: number
  /** The address of the same page on its own origin; `null`: this is it. */
  thirdPartyUrl: string | null
}

/** Makes the hosted test page. Implemented in `client` and wired by `cli`. */
export interface TestPageDocuments {
  page(data: TestPageData): TestPageDocument
  /** The empty page that represents a website with a domain's script. */
  website(data: { origin: string; botCheckProvider: string }): TestPageDocument
}
