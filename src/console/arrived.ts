export interface ClientContext {
  address: string
  secure: boolean
}

/** A request to the API or for a page, as the listener read it. */
export interface Arrived extends ClientContext {
  request: Request
  params: Readonly<Record<string, string>>
}
