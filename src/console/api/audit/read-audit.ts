import { Type } from '@sinclair/typebox'
import { anything, count, orNull, text, textOrNull } from '../../../lib/schema.ts'
import { handlesById } from '../../account-names.ts'
import { auditItem } from '../../audit/audit-item.ts'
import { boxList } from '../list.ts'
import { pageOfAudit } from './page-of-audit.ts'

export const readAudit = boxList({
  path: '/audit',
  summary: 'Read who did what, latest first',
  scope: 'admin',
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
    const handleOf = await handlesById(box.accounts)
    return { items: items.map((line) => auditItem(line, handleOf)), next }
  },
})
