import { timestamp } from '../../lib/quantities.ts'
import type { ReleasedSubmission } from '../../operations/submission/release-submission.ts'
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
    const { noticesTo } = await import('../record/record-notices.ts')
    const onNotice = noticesTo(session.err)
    const release = await session.withBox((box) => releaseSubmission(box, args, onNotice), {
      action: 'submission.release',
      account: args.account,
      subject: args.id,
    })
    return { json: asResult(release), text: sentence(release) }
  },
})

const asResult = ({ account, submissionId, outcome, releasedAt, duplicateOf }: ReleasedSubmission) => ({
  account,
  submissionId,
  released: outcome === 'released',
  releasedAt: releasedAt === null ? null : new Date(releasedAt).toISOString(),
  duplicateOf,
})

function sentence({ account, submissionId, formId, duplicateOf, outcome, releasedAt }: ReleasedSubmission): string {
  if (releasedAt === null) return `${submissionId} was accepted on receipt: there is nothing to release.`
  if (outcome === 'already_released') {
    return `${submissionId} was released already, at ${timestamp(releasedAt)}: nothing was changed.`
  }
  return duplicateOf === null
    ? `Released ${submissionId}: it counts as a lead of ${account}'s form ${formId} from now on.`
    : `Released ${submissionId}: it counts from now on, as a likely duplicate of ${duplicateOf}.`
}
