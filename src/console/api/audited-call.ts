import { newId } from '../../lib/id.ts'
import type { Caller } from '../access/caller.ts'
import { type Actor, type AuditChange, type AuditEntry, noChange } from '../audit/audit-log.ts'
import type { ConsoleBox } from '../console-box.ts'
import type { AccountCall, ApiCall, ApiEndpoint } from './endpoint.ts'

/** An action of the audit log and what it is done to. */
export interface Audited {
  action: string
  subject: string
}

/** What the audit log will say of a call; `null`: nothing. Asked before the endpoint runs: an erasure ends what it is about. */
export async function auditedIn(
  { audited, subject, path }: ApiEndpoint,
  call: ApiCall,
  box: ConsoleBox,
): Promise<Audited | null> {
  const action = typeof audited === 'function' ? audited(call.query as never) : audited
  if (action === undefined || action === null) return null
  return { action, subject: (await subject?.(call as AccountCall, box)) ?? call.params[lastName(path)] ?? '' }
}

interface CallOutcome {
  outcome: AuditEntry['outcome']
  change?: AuditChange | undefined
  box: Pick<ConsoleBox, 'audit' | 'clock'>
}

/** Writes down who did it. */
export async function noteCall(
  { action, subject }: Audited,
  call: ApiCall,
  { outcome, change = noChange, box }: CallOutcome,
): Promise<void> {
  const { account } = call as Partial<AccountCall>
  await box.audit.add({
    id: newId(),
    at: box.clock.now(),
    actor: actorOf(call.caller),
    address: call.address,
    action,
    accountId: account?.id ?? null,
    subject,
    outcome,
    ...change,
  })
}

export const actorOf = (caller: Caller): Actor =>
  caller.kind === 'user'
    ? { kind: 'user', id: caller.userId, label: caller.email }
    : { kind: 'token', id: caller.tokenId, label: caller.name }

/** Of the names in a path such as `/accounts/:account/submissions/:submission/release`. */
const lastName = (path: string): string => path.match(/(?<=:)\w+/g)?.at(-1) ?? ''
