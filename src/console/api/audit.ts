import { Type } from '@sinclair/typebox'
import { anything, count, orNull, text, textOrNull } from '../../lib/schema.ts'
import { accountNamed } from '../../operations/account/account-named.ts'
import { accountNames } from '../../operations/account/account-names.ts'
import type { AuditLine, AuditQuery } from '../audit/audit-log.ts'
import type { ConsoleBox } from '../console-box.ts'
import { boxList, cursorOf, type ListAsked, type ListPart, placeIn } from './list.ts'

export const readAudit = boxList({
  path: '/audit',
  summary: 'Read who did what, latest first',
  scope: 'admin',
  query: Type.Object({
    account: Type.Optional(Type.String({ maxLength: 100 })),
    user: Type.Optional(Type.String({ maxLength: 254, description: 'the email address of the user who did it' })),
    failed: Type.Boolean({ default: false, description: 'only what failed or was refused' }),
  }),
  item: Type.Object({
    id: text,
    seq: orNull(count),
    hash: textOrNull,
    at: text,
    actor: Type.Object({ kind: text, id: text, label: text }),
    address: text,
    action: text,
    account: textOrNull,
    accountId: textOrNull,
    subject: text,
    outcome: text,
    before: orNull(anything),
    after: orNull(anything),
  }),
  columns: [
    'at',
    { header: 'who', cell: ({ actor }) => actor.label || actor.kind },
    { header: 'from', cell: ({ address }) => address },
    'action',
    'account',
    'subject',
    'outcome',
    'seq',
    'hash',
  ],
  async read({ query }, box) {
    const { items, next } = await pageOfAudit(query, box)
    const { handleById } = accountNames(await box.accounts.list())
    return { items: items.map((line) => auditItem(line, handleById)), next }
  },
})

/** Cursors name the last entry shown by its id. */
const entryId = /^([0-9a-f-]{36})$/

interface AuditAsked extends ListAsked, Pick<AuditQuery, 'failed' | 'user'> {
  /** A handle. */
  account?: string | undefined
}

/** A page of the audit log, latest first. @throws ApiError `invalid` for an invalid cursor */
export async function pageOfAudit(
  { limit, cursor, ...asked }: AuditAsked,
  box: Pick<ConsoleBox, 'audit' | 'accounts'>,
): Promise<ListPart<AuditLine>> {
  const before = placeIn(cursor, entryId)?.[0]
  const found = await box.audit.read({ ...(await auditQuery({ ...asked, limit: limit + 1 }, box)), before })
  const items = found.slice(0, limit)
  return { items, next: found.length > limit ? cursorOf(items.at(-1)?.id ?? '') : null }
}

/** What is asked by names, as the log is asked. @throws OperatorError for an account that is not there */
export async function auditQuery(
  { limit, q: text, account, user, failed }: Omit<AuditAsked, 'cursor'>,
  { accounts }: Pick<ConsoleBox, 'accounts'>,
): Promise<AuditQuery> {
  const accountId = account === undefined ? undefined : (await accountNamed(accounts, account)).id
  return { limit, text, accountId, user: user?.toLowerCase(), failed }
}

/** A line as the API and `audit list --json` give it. */
export const auditItem = ({ at, ...line }: AuditLine, handleOf: (id: string) => string | null) => ({
  ...line,
  at: new Date(at).toISOString(),
  account: line.accountId === null ? null : handleOf(line.accountId),
})
