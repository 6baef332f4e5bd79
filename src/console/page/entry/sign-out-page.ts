import { authenticate } from '../../access/authentication.ts'
import type { UserCaller } from '../../access/caller.ts'
import { doneBy, noted } from '../../audit/noted-act.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { clearedSessionCookie } from '../../session/session-cookie.ts'
import { messagePage } from '../message-page.ts'
import { isUser } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { isFromOwnPage, type OpenPage } from './open-page.ts'

/** Not `"cookies"`: that would sign the user out of every website of the domain, and the box would know the browser no more. */
const ofThisVisit = '"cache", "storage"'

/** Ends the session on the box too, because the cookie may have been copied. */
export const signOutPage: OpenPage = {
  path: '/sign-out',
  async show() {
    return seeOther('/')
  },
  async act({ request, address, secure }, box) {
    if (!isFromOwnPage(request)) return messagePage('crossSite')
    const found = await authenticate(box, { headers: request.headers, address, secure })
    if ('caller' in found && isUser(found.caller)) await endSession(found.caller, address, box)
    const cleared = clearedSessionCookie({ secure, cookieMark: box.cookieMark })
    return seeOther('/sign-in', { 'set-cookie': cleared, 'clear-site-data': ofThisVisit })
  },
}

async function endSession(caller: UserCaller, address: string, box: ConsoleBox): Promise<void> {
  const by = doneBy({ caller, address })
  const act = { action: 'session.end', accountId: null, subject: caller.sessionId, by } as const
  await noted(act, box, { work: () => box.sessions.end(caller.userId, caller.sessionId), resultOf: () => ({}) })
}
