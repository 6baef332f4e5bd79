import type { AccountStore } from '../../account/account-store.ts'
import type { AuditChange, NotedResult } from '../../operations/act.ts'
import type { AppliedFolder } from '../../operations/apply/apply-folder.ts'
import { noChange } from './audit-log.ts'

// What acts changed, for the audit log: settings and states, never a secret.

const changesMax = 100

type Connections = Pick<AppliedFolder, 'connected' | 'takenOver'>

const connections = ({ connected, takenOver }: Connections) => ({
  ...(connected.length > 0 && { connected }),
  ...(takenOver.length > 0 && { takenOver: takenOver.map(({ host, handle }) => `${host} from ${handle}`) }),
})

/** The domains of an account that arrived, with the accounts that they were reserved for. */
export const domainsConnected = (arrived: Connections): AuditChange =>
  arrived.connected.length === 0 ? noChange : { before: null, after: connections(arrived) }

type AppliedChanges = Pick<
  AppliedFolder,
  'changes' | 'connected' | 'dropped' | 'takenOver' | 'receivers' | 'shorterTerms'
>

/** What was added, changed and removed, by kind and name; and the domains, with the accounts that they were reserved for. */
export const folderApplied = ({ changes, connected, dropped, takenOver, ...onData }: AppliedChanges): AuditChange => ({
  before: null,
  after: {
    ...connections({ connected, takenOver }),
    ...(dropped.length > 0 && { dropped }),
    ...(onData.receivers.length > 0 && { receivers: onData.receivers.map(({ noted }) => noted) }),
    ...(onData.shorterTerms && { shorterTerms: onData.shorterTerms.classes }),
    changes: changes.slice(0, changesMax).map(({ action, kind, name }) => `${action} ${kind} ${name}`),
    ...(changes.length > changesMax && { more: changes.length - changesMax }),
  },
})

/** The same with the account, which a folder may have made. */
export const folderPublished = async (
  applied: AppliedChanges & Pick<AppliedFolder, 'account'>,
  { accounts }: { accounts: Pick<AccountStore, 'find'> },
): Promise<NotedResult> => ({
  subject: applied.account,
  accountId: (await accounts.find(applied.account))?.id,
  change: folderApplied(applied),
})
