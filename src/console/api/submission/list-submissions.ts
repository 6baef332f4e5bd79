import { Type } from '@sinclair/typebox'
import { listSubmissions } from '../../../operations/submission/list-submissions.ts'
import { submissionColumns } from '../../../report/columns.ts'
import { maskedSubmission } from '../../access/masked.ts'
import { accountEndpoint } from '../endpoint.ts'
import { listAnswer, listOf, listQuery } from '../list.ts'
import { placeIn, placeText } from './submission-cursor.ts'
import { submissionSchema } from './submission-schema.ts'

export const listSubmissionsEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/submissions',
  summary: 'List submissions, latest first',
  scope: 'read',
  clients: 'masked',
  query: Type.Composite([
    listQuery,
    Type.Object({
      status: Type.Union([Type.Literal('all'), Type.Literal('accepted'), Type.Literal('refused')], { default: 'all' }),
      form: Type.Optional(Type.String({ maxLength: 8 })),
    }),
  ]),
  answer: listOf(submissionSchema),
  async run({ account, query, view, request }, box) {
    const { status, form, q, limit, cursor } = query
    const wanted = { account: account.handle, which: status, since: null, limit, q, form }
    const behind = cursor === undefined ? null : placeIn(cursor)
    const shown = view === 'masked' ? { shown: maskedSubmission } : {}
    const { records, next } = await listSubmissions(box, { ...wanted, behind, ...shown }, () => {})
    const page = { items: records, next: next && placeText(next) }
    return listAnswer(page, { query, url: request.url }, submissionColumns(account.forms))
  },
})
