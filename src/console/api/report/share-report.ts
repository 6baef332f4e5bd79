import { Type } from '@sinclair/typebox'
import type { TypedPeriod } from '../../../operations/report/typed-period.ts'
import { listShares, shareDaysDefault, shareDaysMax, shareReport } from '../../share/share-report.ts'
import { ApiError } from '../api-error.ts'
import { accountEndpoint } from '../endpoint.ts'
import { listAnswer, listOf, listQuery, pageOf } from '../list.ts'
import { periodProperties, unfitPeriod } from './report-query.ts'

const shareSchema = Type.Object({
  id: Type.String(),
  link: Type.String(),
  period: Type.Unsafe<TypedPeriod>(Type.Object(periodProperties)),
  createdAt: Type.String(),
  expiresAt: Type.String(),
})

export const shareReportEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/report/share',
  summary: 'Make a link that shows anybody the figures of a period',
  scope: 'publish',
  clients: 'nothing',
  audited: 'report.share',
  body: Type.Object(
    {
      ...periodProperties,
      expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: shareDaysMax, default: shareDaysDefault })),
    },
    { additionalProperties: false },
  ),
  status: 201,
  answer: shareSchema,
  async run({ account, body: { expiresInDays = shareDaysDefault, ...period } }, box) {
    const value = await shareReport(box, account, { period, days: expiresInDays }).catch(unfitPeriod)
    return { value, subject: value.id }
  },
})

export const listSharesEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/report/share',
  summary: 'List the valid links to reports, latest first',
  scope: 'read',
  clients: 'nothing',
  query: listQuery,
  answer: listOf(shareSchema),
  async run({ account, query, request }, box) {
    const page = pageOf(await listShares(box, account), query, {
      key: ({ createdAt, id }) => `${createdAt} ${id}`,
      texts: ({ period }) => Object.values(period),
    })
    return listAnswer(page, { query, url: request.url }, [
      { header: 'id', cell: ({ id }) => id },
      { header: 'link', cell: ({ link }) => link },
      { header: 'createdAt', cell: ({ createdAt }) => createdAt },
      { header: 'expiresAt', cell: ({ expiresAt }) => expiresAt },
    ])
  },
})

export const revokeShareEndpoint = accountEndpoint({
  method: 'DELETE',
  path: '/accounts/:account/report/share/:share',
  summary: 'Revoke a link to a report at once',
  scope: 'publish',
  clients: 'nothing',
  audited: 'report.unshare',
  answer: Type.Object({ id: Type.String(), revoked: Type.Literal(true) }),
  async run({ account, params: { share: id = '' } }, { shares, clock }) {
    if (!(await shares.revoke(account.id, id, clock.now()))) throw new ApiError('not_found')
    return { value: { id, revoked: true as const } }
  },
})
