import { Type } from '@sinclair/typebox'
import { releaseSubmission } from '../../../operations/submission/release-submission.ts'
import { accountEndpoint } from '../endpoint.ts'

const text = Type.Union([Type.String(), Type.Null()])

export const releaseSubmissionEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/submissions/:submission/release',
  summary: 'Release a submission that was refused as a bot',
  scope: 'release',
  clients: 'nothing',
  audited: 'submission.release',
  answer: Type.Object({
    account: Type.String(),
    submissionId: Type.String(),
    released: Type.Boolean(),
    releasedAt: text,
    duplicateOf: text,
  }),
  async run({ account, params }, box) {
    const asked = { account: account.handle, id: params.submission ?? '' }
    const { outcome, releasedAt, ...released } = await releaseSubmission(box, asked, () => {})
    return {
      value: {
        account: released.account,
        submissionId: released.submissionId,
        released: outcome === 'released',
        releasedAt: releasedAt === null ? null : new Date(releasedAt).toISOString(),
        duplicateOf: released.duplicateOf,
      },
    }
  },
})
