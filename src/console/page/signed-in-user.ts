import { authenticate } from '../access/authentication.ts'
import type { UserCaller } from '../access/caller.ts'
import type { ConsoleBox } from '../console-box.ts'
import { isUser } from './page.ts'
import type { PageRequest } from './page-request.ts'

/** Whose session the request's cookie is; `null`: nobody's. A token opens no page. */
export async function signedInUser(
  { request, address, secure }: PageRequest,
  box: ConsoleBox,
): Promise<UserCaller | null> {
  const headers = new Headers({ cookie: request.headers.get('cookie') ?? '' })
  const found = await authenticate(box, { headers, address, secure })
  return 'caller' in found && isUser(found.caller) ? found.caller : null
}
