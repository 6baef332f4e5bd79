import { formRequest } from '../../harness/capture-requests.ts'
import type { Sent } from '../../harness/http.ts'
import type { BinaryBox } from './binary-box.ts'

/** A visitor's request for something on the account's own domain. */
export const getRequest = (path: string, headers: Record<string, string> = {}): Sent => ({
  method: 'GET',
  host: 'go.acme.test',
  path,
  headers,
  body: null,
})

/** A submission that can be told from others by its field `n`. */
export const numberedForm = (n: number): Sent => formRequest({ fields: { email: 'ada@example.test', n } })

/** A visitor's request for a link that `capture link sign` printed, to the page of that name. */
export async function trackedLink(box: BinaryBox, page = 'launch'): Promise<Sent> {
  const link = await box.done(['link', 'sign', 'acme', '--to', `http://go.acme.test/${page}`, '--message', 'news-1'])
  return getRequest(new URL(link.trim()).pathname)
}

/** An image of a format that browsers know, of no pixels to speak of. */
export const svgImage = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
