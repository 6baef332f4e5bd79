import type { ConsoleBox } from '../../console-box.ts'
import type { PageRequest } from '../page-request.ts'

/** A page for whoever is not signed in: it checks for itself who may do what. */
export interface OpenPage {
  path: string
  show(asked: PageRequest, box: ConsoleBox): Promise<Response>
  /** What a form on the page does; absent: it has none. */
  act?(asked: PageRequest, box: ConsoleBox): Promise<Response>
}

/** Whether a form was sent by a page of the console: a sign-in that another site sends would make its visitors somebody else. */
export const isFromOwnPage = (request: Request): boolean => {
  const site = request.headers.get('sec-fetch-site')
  return site === 'same-origin'
}
