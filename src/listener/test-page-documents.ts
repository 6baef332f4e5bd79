/** A page that is made for one request, and the Content-Security-Policy that it needs and no more. */
export interface TestPageDocument {
  html: string
  policy: string
}

/** What the test page knows of the account: what a visitor of its sites could find out, and never a secret. */
export interface TestPageData {
  account: { handle: string; name: string }
  /** Connected domains, and how a browser reaches them. */
  domains: { host: string; origin: string }[]
  /** Registered forms. */
  forms: { id: string; name: string }[]
  botCheckProvider: string
  /** When the address stops working, epoch milliseconds. */
  expiresAt: number
  /** Where the same page stands on an origin of its own; `null`: it does already. */
  thirdPartyUrl: string | null
}

/** Makes the hosted test page; written in `client`, handed over by `cli`. */
export interface TestPageDocuments {
  page(data: TestPageData): TestPageDocument
  /** The empty page in which the test page plays a website that embeds a domain's script. */
  website(data: { origin: string; botCheckProvider: string }): TestPageDocument
}
