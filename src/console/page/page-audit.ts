import { newId } from '../../lib/id.ts'
import { actorOf } from '../api/audited-call.ts'
import { type AuditChange, noChange } from '../audit/audit-log.ts'
import type { ConsoleBox } from '../console-box.ts'
import type { AccountPageCall, PageCall } from './page.ts'

interface Act {
  action: string
  subject: string
  box: Pick<ConsoleBox, 'audit' | 'clock'>
  change?: AuditChange
}

/** Writes down what a user did on a page of an account. */
export const notePageAct = (call: AccountPageCall, act: Act): Promise<void> => note(call, act, call.account.id)

/** Writes down what a user did on a page of the box. */
export const noteBoxAct = (call: Pick<PageCall, 'caller' | 'address'>, act: Act): Promise<void> => note(call, act, null)

const note = (
  { caller, address }: Pick<PageCall, 'caller' | 'address'>,
  { action, subject, box, change = noChange }: Act,
  accountId: string | null,
): Promise<void> =>
  box.audit.add({
    id: newId(),
    at: box.clock.now(),
    actor: actorOf(caller),
    address,
    action,
    accountId,
    subject,
    outcome: 'done',
    ...change,
  })
