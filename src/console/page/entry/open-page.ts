import type { ConsoleBox } from '../../console-box.ts'
import type { PageRequest } from '../page-request.ts'

/** A page that needs no sign-in: it checks itself who may do what. */
export interface OpenPage {
  path: string
  show(asked: PageRequest, box: ConsoleBox): Promise<Response>
  /** Does what a form on the page asks for; absent: the page has no form. */
  act?(asked: PageRequest, box: ConsoleBox): Promise<Response>
}

/** Whether a page of the console sent the form: another site could sign its visitors in as somebody else. */
export const isFromOwnPage = (request: Request): boolean => {
  const site = request.headers.get('sec-fetch-site')
  return site === 'same-origin'
}
