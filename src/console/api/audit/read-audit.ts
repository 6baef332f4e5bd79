import { Type } from '@sinclair/typebox'
import { handlesById } from '../../account-names.ts'
import type { AuditEntry } from '../../audit/audit-log.ts'
import { boxEndpoint } from '../endpoint.ts'
import { decoded, encoded, listAnswer, listOf, listQuery } from '../list.ts'

const text = Type.Union([Type.String(), Type.Null()])
const values = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])

export const readAudit = boxEndpoint({
  method: 'GET',
  path: '/audit',
  summary: 'Read who did what, latest first',
  scope: 'admin',
  query: listQuery,
  answer: listOf(
    Type.Object({
      id: Type.String(),
      at: Type.String(),
      actor: Type.Object({ kind: Type.String(), id: Type.String(), label: Type.String() }),
      address: Type.String(),
      action: Type.String(),
      account: text,
      subject: Type.String(),
      outcome: Type.String(),
      before: values,
      after: values,
    }),
  ),
  async run({ query, request }, { audit, accounts }) {
    const { limit, cursor, q } = query
    const found = await audit.read({
      limit: limit + 1,
      ...(cursor === undefined ? {} : { before: decoded(cursor) }),
      ...(q === undefined ? {} : { text: q }),
    })
    const handleOf = await handlesById(accounts)
    const items = found.slice(0, limit).map((entry) => auditJson(entry, handleOf))
    const next = found.length > limit ? encoded(items.at(-1)?.id ?? '') : null
    return listAnswer({ items, next }, { query, url: request.url }, [
      { header: 'at', cell: ({ at }) => at },
      { header: 'who', cell: ({ actor }) => actor.label || actor.kind },
      { header: 'from', cell: ({ address }) => address },
      { header: 'action', cell: ({ action }) => action },
      { header: 'account', cell: ({ account }) => account ?? '' },
      { header: 'subject', cell: ({ subject }) => subject },
      { header: 'outcome', cell: ({ outcome }) => outcome },
    ])
  },
})

const auditJson = ({ accountId, at, ...entry }: AuditEntry, handleOf: (accountId: string) => string | null) => ({
  ...entry,
  at: new Date(at).toISOString(),
  account: accountId === null ? null : handleOf(accountId),
})
