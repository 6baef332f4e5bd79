import { Type } from '@sinclair/typebox'
import { handlesById } from '../../account-names.ts'
import type { AuditEntry } from '../../audit/audit-log.ts'
import { pageOfAudit } from '../../audit/page-of-audit.ts'
import { boxList } from '../list.ts'
import { anything, orNull, text, textOrNull } from '../schema.ts'

export const readAudit = boxList({
  path: '/audit',
  summary: 'Read who did what, latest first',
  scope: 'admin',
  item: Type.Object({
    id: text,
    at: text,
    actor: Type.Object({ kind: text, id: text, label: text }),
    address: text,
    action: text,
    account: textOrNull,
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
  ],
  async read({ query }, box) {
    const { items, next } = await pageOfAudit(query, box)
    const handleOf = await handlesById(box.accounts)
    const item = ({ accountId, at, ...entry }: AuditEntry) => ({
      ...entry,
      at: new Date(at).toISOString(),
      account: accountId === null ? null : handleOf(accountId),
    })
    return { items: items.map(item), next }
  },
})
