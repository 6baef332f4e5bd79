import { Type } from '@sinclair/typebox'
import { closed, text } from '../../../lib/schema.ts'
import type { TypedPeriod } from '../../../report/report-period.ts'
import { listShares, shareDaysDefault, shareDaysMax, shareReport } from '../../share/share-report.ts'
import { ApiError } from '../api-error.ts'
import { pageOf } from '../cursor.ts'
import { accountEndpoint } from '../endpoint.ts'
import { accountList } from '../list.ts'
import { periodProperties, unfitPeriod } from './show-report.ts'

const path = '/accounts/:account/report/share'

const shareSchema = Type.Object({
  id: text,
  link: text,
  period: Type.Unsafe<TypedPeriod>(Type.Object(periodProperties)),
  createdAt: text,
  expiresAt: text,
})

export const shareReportEndpoint = accountEndpoint({
  method: 'POST',
  path,
  summary: 'Make a link that shows anybody the figures of a period',
  scope: 'publish',
  audited: 'report.share',
  body: closed({
    ...periodProperties,
    expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: shareDaysMax, default: shareDaysDefault })),
  }),
  status: 201,
  answer: shareSchema,
  async run({ account, caller, body: { expiresInDays = shareDaysDefault, ...period } }, box) {
    const value = await shareReport(box, account, { period, days: expiresInDays, by: caller }).catch(unfitPeriod)
    return { value, subject: value.id }
  },
})

export const listSharesEndpoint = accountList({
  path,
  summary: 'List the valid links to reports, latest first',
  scope: 'read',
  item: shareSchema,
  columns: ['id', 'link', 'createdAt', 'expiresAt'],
  read: async ({ account, query }, box) =>
    pageOf(await listShares(box, account), query, {
      key: ({ createdAt, id }) => `${createdAt} ${id}`,
      isReversed: true,
      texts: ({ period }) => Object.values(period),
    }),
})

export const revokeShareEndpoint = accountEndpoint({
  method: 'DELETE',
  path: `${path}/:share`,
  summary: 'Revoke a link to a report at once',
  scope: 'publish',
  audited: 'report.unshare',
  answer: Type.Object({ id: text, revoked: Type.Literal(true) }),
  async run({ account, params: { share: id = '' } }, { shares, clock }) {
    if (!(await shares.revoke(account.id, id, clock.now()))) throw new ApiError('not_found')
    return { value: { id, revoked: true as const } }
  },
})
