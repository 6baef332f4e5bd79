import { timestamp } from '../../lib/quantities.ts'
import type { AnswerOf } from '../../operations/act.ts'
import type { refuseSubmission } from '../../operations/submission/refuse-submission.ts'
import type { releaseSubmission } from '../../operations/submission/release-submission.ts'
import { defineCommand } from '../command.ts'

export const submissionRelease = defineCommand({
  name: 'submission release',
  summary: 'Releases a submission from quarantine: it counts again, or as if accepted now',
  details: `What was refused as a bot then belongs to its person, is a lead of today, and is exported as accepted; what it was refused for
stays in its record. What an operator refused is as it was before. \`capture submission list ACCOUNT --refused\` shows the ids. Releasing it again changes nothing.
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

export const submissionRefuse = defineCommand({
  name: 'submission refuse',
  summary: 'Refuses a submission: it goes into quarantine and counts no more',
  details: `It is then nobody's, in no figure, and listed with --refused; what waits to be delivered of it is not sent.
\`capture submission release\` brings it back as it was. Without that, it is deleted as other refused ones are, so long after its
refusal. Refusing it again changes nothing.
--json prints { "account", "submissionId", "refused", "refusedAt" }.`,
  args: { account: { summary: "the account's handle" }, id: { summary: "the submission's id" } },
  async run({ args }, session) {
    const { refuseSubmission } = await import('../../operations/submission/refuse-submission.ts')
    const { answer, formId } = await session.act(refuseSubmission, { account: args.account, submission: args.id })
    return { json: answer, text: refusalSentence(answer, formId) }
  },
})

function refusalSentence(
  { account, submissionId, refused, refusedAt }: AnswerOf<typeof refuseSubmission>,
  formId: string,
): string {
  if (refused) return `Refused ${submissionId}: it is no lead of ${account}'s form ${formId} any more.`
  const since = refusedAt === null ? 'on receipt' : `already, at ${timestamp(Date.parse(refusedAt))}`
  return `${submissionId} was refused ${since}: nothing was changed.`
}
