import { Type } from '@sinclair/typebox'
import { releaseSubmission } from '../../../operations/submission/release-submission.ts'
import { accountEndpoint } from '../endpoint.ts'
import { text, textOrNull } from '../schema.ts'

export const releaseSubmissionEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/submissions/:submission/release',
  summary: 'Release a submission that was refused as a bot',
  scope: 'release',
  audited: 'submission.release',
  answer: Type.Object({
    account: text,
    submissionId: text,
    released: Type.Boolean(),
    releasedAt: textOrNull,
    duplicateOf: textOrNull,
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
