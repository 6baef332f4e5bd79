import type { AccountStore } from '../../account/account-store.ts'
import type { AppliedFolder } from '../../operations/apply/apply-folder.ts'
import type { MovedPage } from '../../operations/page/move-page.ts'
import type { RolledBackPage } from '../../operations/page/roll-back-page.ts'
import type { ApiToken } from '../token/api-token.ts'
import type { Invited, User } from '../user/user.ts'
import type { AuditChange } from './audit-log.ts'
import type { NotedResult } from './noted-act.ts'

// What acts changed, for the audit log: settings and states, never a secret.

const changesMax = 100

export const pageMoved = ({ state, changed }: Pick<MovedPage, 'state' | 'changed'>): AuditChange => {
  const before = changed ? (state === 'live' ? 'preview' : 'live') : state
  return { before: { state: before }, after: { state } }
}

export const pageRolledBack = ({ version, rolledBackTo }: Pick<RolledBackPage, 'version' | 'rolledBackTo'>) =>
  ({ before: null, after: { version, contentOf: rolledBackTo.number } }) satisfies AuditChange

/** What was added, changed and removed, by kind and name. */
export const folderApplied = ({ changes }: Pick<AppliedFolder, 'changes'>): AuditChange => ({
  before: null,
  after: {
    changes: changes.slice(0, changesMax).map(({ action, kind, name }) => `${action} ${kind} ${name}`),
    ...(changes.length > changesMax && { more: changes.length - changesMax }),
  },
})

/** The same with the account, which a folder may have made. */
export const folderPublished = async (
  applied: Pick<AppliedFolder, 'account' | 'changes'>,
  { accounts }: { accounts: Pick<AccountStore, 'find'> },
): Promise<NotedResult> => ({
  subject: applied.account,
  accountId: (await accounts.find(applied.account))?.id,
  change: folderApplied(applied),
})

export const tokenCreated = ({ name, scopes, expiresAt }: Pick<ApiToken, 'name' | 'scopes' | 'expiresAt'>) =>
  ({
    before: null,
    after: { name, scopes: [...scopes], expiresAt: new Date(expiresAt).toISOString() },
  }) satisfies AuditChange

export const userInvited = (invited: Invited): AuditChange => ({
  before: null,
  after: invited.isOwner ? { role: 'owner' } : { role: invited.role, seesPersonalFields: invited.seesPersonalFields },
})

export const invitationsWithdrawn = (email: string): AuditChange => ({ before: { email, invited: true }, after: null })

export const userRemoved = ({ email, isOwner, roles }: Pick<User, 'email' | 'isOwner' | 'roles'>): AuditChange => ({
  before: { email, owner: isOwner, accounts: roles.size },
  after: null,
})
