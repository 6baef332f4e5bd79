import { Type } from '@sinclair/typebox'
import { listSubmissions } from '../../../operations/submission/list-submissions.ts'
import { submissionColumns } from '../../../report/columns.ts'
import { maskedSubmission } from '../../access/masked.ts'
import { isStaff } from '../../access/permission.ts'
import { ApiError } from '../api-error.ts'
import { accountList } from '../list.ts'
import { oneOf } from '../schema.ts'
import { submissionCursor, submissionPlace } from './submission-cursor.ts'
import { submission } from './submission-schema.ts'
import { stateChoice } from './submission-state.ts'

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
  item: submission,
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
