import { listShares, shareReport, shareSchema, unshareReport } from '../../share/share-report.ts'
import { actEndpoint } from '../act-endpoint.ts'
import { pageOf } from '../cursor.ts'
import { accountList } from '../list.ts'

const path = '/accounts/:account/report/share'

export const shareReportEndpoint = actEndpoint(shareReport, { method: 'POST', path, sends: 'body', status: 201 })

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
      texts: ({ period }) => Object.values(period).flatMap((part) => part ?? []),
    }),
})

export const revokeShareEndpoint = actEndpoint(unshareReport, { method: 'DELETE', path: `${path}/:share` })
