import { authenticate } from '../access/authentication.ts'
import type { UserCaller } from '../access/caller.ts'
import type { ConsoleBox } from '../console-box.ts'
import { isUser } from './page.ts'
import type { PageRequest } from './page-request.ts'

/** Whose session the request's cookie is; `null`: nobody's. A token opens no page. @param isUse whether this keeps the session in use */
export async function signedInUser(
  { request, address, secure }: Omit<PageRequest, 'params'>,
  box: ConsoleBox,
  { isUse }: { isUse: boolean } = { isUse: true },
): Promise<UserCaller | null> {
  const headers = new Headers({ cookie: request.headers.get('cookie') ?? '' })
  const found = await authenticate(box, { headers, address, secure, isUse })
  return 'caller' in found && isUser(found.caller) ? found.caller : null
}
