import { newId } from '../../lib/id.ts'
import { actorOf } from '../api/audited-call.ts'
import type { ConsoleBox } from '../console-box.ts'
import type { AccountPageCall } from './page.ts'

/** Writes down what a user did on a page of an account. */
export const notePageAct = (
  { caller, address, account }: AccountPageCall,
  { action, subject, box }: { action: string; subject: string; box: Pick<ConsoleBox, 'audit' | 'clock'> },
): Promise<void> =>
  box.audit.add({
    id: newId(),
    at: box.clock.now(),
    actor: actorOf(caller),
    address,
    action,
    accountId: account.id,
    subject,
    outcome: 'done',
    before: null,
    after: null,
  })
