import { authenticate } from '../../access/authentication.ts'
import { clearedSessionCookie } from '../../session/session-cookie.ts'
import { messagePage } from '../message-page.ts'
import { isUser } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { isFromOwnPage, type OpenPage } from './open-page.ts'

/** Ends the session on the box too: the cookie alone may have been copied. */
export const signOutPage: OpenPage = {
  path: '/sign-out',
  async show() {
    return seeOther('/')
  },
  async act({ request, address, secure }, box) {
    if (!isFromOwnPage(request)) return messagePage('crossSite')
    const found = await authenticate(box, { headers: request.headers, address, secure })
    if ('caller' in found && isUser(found.caller)) await box.sessions.end(found.caller.userId, found.caller.sessionId)
    return seeOther('/sign-in', { 'set-cookie': clearedSessionCookie(secure) })
  },
}
