import type { Arrived } from '../../arrived.ts'
import type { ConsoleBox } from '../../console-box.ts'

/** A page that needs no sign-in: it checks itself who may do what. */
export interface OpenPage {
  path: string
  /** Absent: there is nothing to see, as the script sends the form. */
  show?(asked: Arrived, box: ConsoleBox): Promise<Response>
  /** Does what a form on the page asks for; absent: the page has no form. */
  act?(asked: Arrived, box: ConsoleBox): Promise<Response>
}

/** Whether a page of the console sent the form: another site could sign its visitors in as somebody else. */
export const isFromOwnPage = (request: Request): boolean => request.headers.get('sec-fetch-site') === 'same-origin'

/** A link in a mail brings no `SameSite=Strict` cookie along; a reload by the page itself does. */
export const isFromElsewhere = (request: Request): boolean =>
  request.method === 'GET' && request.headers.get('sec-fetch-site') === 'cross-site'
