import { Type } from '@sinclair/typebox'
import { oneOf } from '../../../lib/schema.ts'
import { listSubmissions } from '../../../operations/submission/list-submissions.ts'
import { releaseSubmission } from '../../../operations/submission/release-submission.ts'
import { showSubmission } from '../../../operations/submission/show-submission.ts'
import { submissionColumns, submissionSchema } from '../../../report/record.ts'
import { maskedSubmission } from '../../access/masked.ts'
import { isStaff } from '../../access/permission.ts'
import { stateChoice } from '../../inbox/inbox-acts.ts'
import { actEndpoint } from '../act-endpoint.ts'
import { ApiError } from '../api-error.ts'
import { accountEndpoint } from '../endpoint.ts'
import { accountList } from '../list.ts'
import { submissionCursor, submissionPlace } from './submission-cursor.ts'

export const listSubmissionsEndpoint = accountList({
  path: '/accounts/:account/submissions',
  summary: 'List submissions, latest first',
  scope: 'read',
  clients: 'masked',
  audited: ({ format }) => (format === 'csv' ? 'export.read' : null),
  subject: async () => 'submissions',
  query: Type.Object({
    status: oneOf(['all', 'accepted', 'refused'], { default: 'all' }),
    form: Type.Optional(Type.String({ maxLength: 8 })),
    state: Type.Optional(stateChoice),
  }),
  item: submissionSchema,
  columns: ({ account }) => submissionColumns(account.forms),
  async read({ account, query, view, caller }, box, onNotice) {
    const { status, form, state, q, limit, cursor } = query
    if (state !== undefined && !isStaff(account.id, caller))
      throw new ApiError('forbidden', 'Clients do not see the states of submissions.')
    const wanted = { account: account.handle, which: status, since: null, limit, q, form, state }
    const shown = view === 'masked' ? { shown: maskedSubmission } : {}
    const found = await listSubmissions(box, { ...wanted, behind: submissionPlace(cursor), ...shown }, onNotice)
    return { items: found.records, next: submissionCursor(found.next) }
  },
})

export const showSubmissionEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/submissions/:submission',
  summary: 'Read one submission',
  scope: 'read',
  clients: 'masked',
  answer: submissionSchema,
  async run({ account, params, view }, box) {
    const { record } = await showSubmission(box, { account: account.handle, id: params.submission ?? '' }, () => {})
    return { value: view === 'masked' ? maskedSubmission(record) : record }
  },
})

export const releaseSubmissionEndpoint = actEndpoint(releaseSubmission, {
  method: 'POST',
  path: '/accounts/:account/submissions/:submission/release',
})
