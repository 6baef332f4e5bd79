import { doneBy, type NotedAct } from '../audit/noted-act.ts'
import type { ConsoleBox } from '../console-box.ts'
import type { AccountCall, ApiCall, ApiEndpoint } from './endpoint.ts'

/** What the audit log will say about a call; `null`: nothing. Called before the endpoint runs, because an erasure deletes its object. */
export async function auditedIn(
  { audited, subject, path }: ApiEndpoint,
  call: ApiCall,
  box: ConsoleBox,
): Promise<NotedAct | null> {
  const action = typeof audited === 'function' ? audited(call.query as never) : audited
  if (action === undefined || action === null) return null
  const { account } = call as Partial<AccountCall>
  return {
    action,
    accountId: account?.id ?? null,
    subject: (await subject?.(call as AccountCall, box)) ?? call.params[lastName(path)] ?? '',
    by: doneBy(call),
  }
}

/** The last name in a path such as `/accounts/:account/submissions/:submission/release`. */
const lastName = (path: string): string => path.match(/(?<=:)\w+/g)?.at(-1) ?? ''
