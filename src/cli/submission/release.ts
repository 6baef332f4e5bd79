import { timestamp } from '../../lib/quantities.ts'
import type { AnswerOf } from '../../operations/act.ts'
import type { releaseSubmission } from '../../operations/submission/release-submission.ts'
import { defineCommand } from '../command.ts'

export const submissionRelease = defineCommand({
  name: 'submission release',
  summary: 'Releases a submission that was refused as a bot: it counts as if accepted now',
  details: `It then belongs to its person, is a lead of today, and is exported as accepted; what it was refused for stays in its
record. \`capture submission list ACCOUNT --refused\` shows the ids. Releasing it again changes nothing.
--json prints { "account", "submissionId", "released", "releasedAt", "duplicateOf" }.`,
  args: { account: { summary: "the account's handle" }, id: { summary: "the submission's id" } },
  async run({ args }, session) {
    const { releaseSubmission } = await import('../../operations/submission/release-submission.ts')
    const { answer, formId } = await session.act(releaseSubmission, { account: args.account, submission: args.id })
    return { json: answer, text: sentence(answer, formId) }
  },
})

function sentence(
  { account, submissionId, duplicateOf, released, releasedAt }: AnswerOf<typeof releaseSubmission>,
  formId: string,
): string {
  if (releasedAt === null) return `${submissionId} was accepted on receipt: there is nothing to release.`
  if (!released)
    return `${submissionId} was released already, at ${timestamp(Date.parse(releasedAt))}: nothing was changed.`
  return duplicateOf === null
    ? `Released ${submissionId}: it counts as a lead of ${account}'s form ${formId} from now on.`
    : `Released ${submissionId}: it counts from now on, as a likely duplicate of ${duplicateOf}.`
}
