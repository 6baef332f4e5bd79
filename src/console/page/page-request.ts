/** A request for a page, as the listener read it. */
export interface PageRequest {
  request: Request
  params: Readonly<Record<string, string>>
  /** Of the client. */
  address: string
  secure: boolean
}
