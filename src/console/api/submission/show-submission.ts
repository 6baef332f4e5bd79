import { showSubmission } from '../../../operations/submission/show-submission.ts'
import { maskedSubmission } from '../../access/masked.ts'
import { accountEndpoint } from '../endpoint.ts'
import { submission } from './submission-schema.ts'

export const showSubmissionEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/submissions/:submission',
  summary: 'Read one submission',
  scope: 'read',
  clients: 'masked',
  answer: submission,
  async run({ account, params, view }, box) {
    const { record } = await showSubmission(box, { account: account.handle, id: params.submission ?? '' }, () => {})
    return { value: view === 'masked' ? maskedSubmission(record) : record }
  },
})
