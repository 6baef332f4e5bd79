import { authenticate } from '../access/authentication.ts'
import type { UserCaller } from '../access/caller.ts'
import type { Arrived } from '../arrived.ts'
import type { ConsoleBox } from '../console-box.ts'
import { isUser } from './page.ts'

/** The user whose session the request's cookie names, or `null`. Tokens open no pages. @param isUse whether the request counts as use of the session */
export async function signedInUser(
  { request, address, secure }: Omit<Arrived, 'params'>,
  box: ConsoleBox,
  { isUse }: { isUse: boolean } = { isUse: true },
): Promise<UserCaller | null> {
  const headers = new Headers({ cookie: request.headers.get('cookie') ?? '' })
  const found = await authenticate(box, { headers, address, secure, isUse })
  return 'caller' in found && isUser(found.caller) ? found.caller : null
}
