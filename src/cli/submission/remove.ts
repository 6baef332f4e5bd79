import { defineCommand } from '../command.ts'
import { erasableResult, erasureResult } from '../erasure/erasure-text.ts'
import { canAsk } from '../input/asked-line.ts'

export const submissionRemove = defineCommand({
  name: 'submission remove',
  summary: 'Removes one submission for good, with all that follows from it',
  details: `As an erasure does: figures, deliveries, states and notes lose it, and nothing of it is left in the database's file. Whatever
else its sender did stays: \`capture person erase --submission\` erases that too. Only a backup brings it back.
At a terminal it only prints what it would remove, unless --yes is given; a script that names the id means it.
--json prints what \`capture person erase\` does.
  capture submission remove acme 01a1fb9b-63c5-76c7-8301-36bd5b40ceed --yes`,
  args: { account: { summary: "the account's handle" }, id: { summary: "the submission's id" } },
  options: { yes: { summary: 'remove it, also at a terminal' } },
  async run({ args: { account, id: submission }, options }, session) {
    const { erasableSubmission, removeSubmission } = await import('../../operations/submission/remove-submission.ts')
    if (options.yes || !canAsk(session)) {
      const { answer, receipt } = await session.act(removeSubmission, { account, submission })
      return erasureResult(receipt, answer)
    }
    const { counts, answer } = await session.withBox((box) =>
      erasableSubmission(box, { account, submission }, () => {}),
    )
    return erasableResult(counts, answer)
  },
})
