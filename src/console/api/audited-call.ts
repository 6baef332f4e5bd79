import { newId } from '../../lib/id.ts'
import type { Caller } from '../access/caller.ts'
import type { Actor, AuditEntry } from '../audit/audit-log.ts'
import type { ConsoleBox } from '../console-box.ts'
import type { AccountCall, ApiCall, ApiEndpoint } from './endpoint.ts'

/** Writes down who did it, where the endpoint asks for that. The subject is what the path names last. */
export async function noteCall(
  { audited, path }: ApiEndpoint,
  call: ApiCall,
  { outcome, box }: { outcome: AuditEntry['outcome']; box: Pick<ConsoleBox, 'audit' | 'clock'> },
): Promise<void> {
  if (audited === undefined) return
  const { account } = call as Partial<AccountCall>
  await box.audit.add({
    id: newId(),
    at: box.clock.now(),
    actor: actorOf(call.caller),
    address: call.address,
    action: audited,
    accountId: account?.id ?? null,
    subject: call.params[lastName(path)] ?? '',
    outcome,
    before: null,
    after: null,
  })
}

export const actorOf = (caller: Caller): Actor =>
  caller.kind === 'user'
    ? { kind: 'user', id: caller.userId, label: caller.email }
    : { kind: 'token', id: caller.tokenId, label: caller.name }

/** Of the names in a path such as `/accounts/:account/submissions/:submission/release`. */
const lastName = (path: string): string => path.match(/(?<=:)\w+/g)?.at(-1) ?? ''
