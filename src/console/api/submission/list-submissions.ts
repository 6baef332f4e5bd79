import { Type } from '@sinclair/typebox'
import { listSubmissions } from '../../../operations/submission/list-submissions.ts'
import { submissionColumns } from '../../../report/columns.ts'
import { maskedSubmission } from '../../access/masked.ts'
import { isStaff } from '../../access/permission.ts'
import { ApiError } from '../api-error.ts'
import { accountEndpoint } from '../endpoint.ts'
import { listAnswer, listOf, listQuery } from '../list.ts'
import { placeIn, placeText } from './submission-cursor.ts'
import { submissionSchema } from './submission-schema.ts'
import { stateChoice } from './submission-state.ts'

export const listSubmissionsEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/submissions',
  summary: 'List submissions, latest first',
  scope: 'read',
  clients: 'masked',
  audited: ({ format }) => (format === 'csv' ? 'export.read' : null),
  subject: async () => 'submissions',
  query: Type.Composite([
    listQuery,
    Type.Object({
      status: Type.Union([Type.Literal('all'), Type.Literal('accepted'), Type.Literal('refused')], { default: 'all' }),
      form: Type.Optional(Type.String({ maxLength: 8 })),
      state: Type.Optional(stateChoice),
    }),
  ]),
  answer: listOf(submissionSchema),
  async run({ account, query, view, request, caller }, box) {
    const { status, form, state, q, limit, cursor } = query
    if (state !== undefined && !isStaff(account.id, caller))
      throw new ApiError('forbidden', 'Clients do not see the states of submissions.')
    const wanted = { account: account.handle, which: status, since: null, limit, q, form, state }
    const behind = cursor === undefined ? null : placeIn(cursor)
    const shown = view === 'masked' ? { shown: maskedSubmission } : {}
    const { records, next } = await listSubmissions(box, { ...wanted, behind, ...shown }, () => {})
    const page = { items: records, next: next && placeText(next) }
    return listAnswer(page, { query, url: request.url }, submissionColumns(account.forms))
  },
})
