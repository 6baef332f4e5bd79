import { OperatorError } from '../../lib/operator-error.ts'
import { timestamp } from '../../lib/quantities.ts'
import { accountNamed } from '../../operations/account/account-named.ts'
import { submissionNamed } from '../../operations/submission/submission-named.ts'
import type { ReleaseOutcome } from '../../processing/submissions/quarantine.ts'
import { defineCommand } from '../command.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'

export const submissionRelease = defineCommand({
  name: 'submission release',
  summary: 'Lets a submission that was refused as a bot count, as if it had been accepted now',
  details: `It then belongs to its person, is a lead of today, and is exported as accepted; what it was refused for stays in its
record. \`capture submission list ACCOUNT --refused\` shows the ids. Releasing it again changes nothing.
--json prints { "account", "submissionId", "released", "releasedAt", "duplicateOf" }.`,
  args: { account: { summary: "the account's handle" }, id: { summary: "the submission's id" } },
  options: {},
  printsResult: true,
  async run({ args, json }, session) {
    const { withBox } = await import('../with-box.ts')
    const { catchUp } = await import('../record/catch-up.ts')
    const done = await withBox(session, async (box) => {
      const account = await accountNamed(box.accounts, args.account)
      await catchUp(box.processing, session)
      const { row, submission } = await submissionNamed(box.submissions, account, args.id)
      const release = released(
        await box.quarantine.release(account.id, submission.id, session.clock.now()),
        submission.id,
      )
      await catchUp(box.processing, session)
      const [found] = await box.findings.about(account.id, [row])
      return { account, submission, release, duplicateOf: found?.submission?.duplicateOf ?? null }
    })
    const { account, submission, release, duplicateOf } = done
    const releasedAt = 'at' in release ? new Date(release.at).toISOString() : null
    const result = {
      account: account.handle,
      submissionId: submission.id,
      released: release.outcome === 'released',
      releasedAt,
      duplicateOf,
    }
    const words = { ...result, formId: submission.formId, release }
    await session.out.write(json ? toJson(result) : `${printable(inWords(words))}\n`)
    return 0
  },
})

type Settled = Extract<ReleaseOutcome, { outcome: 'released' | 'already_released' }> | { outcome: 'accepted' }

/** The outcome, when the submission counts now. @throws OperatorError when it does not */
function released(release: ReleaseOutcome, id: string): Settled {
  switch (release.outcome) {
    case 'released':
    case 'already_released':
      return release
    case 'accepted':
      return { outcome: 'accepted' }
    case 'test_page':
      throw new OperatorError(
        `${id} was sent by the hosted test page, which counts nowhere: there is nothing to release.`,
      )
    case 'unprocessed':
      throw new OperatorError(
        `${id} has not been processed yet: try again in a moment. If that goes on, run \`capture doctor\`.`,
      )
    case 'unknown':
      throw new OperatorError(`${id} is gone: it was removed just now.`)
  }
}

interface Words {
  account: string
  submissionId: string
  formId: string
  duplicateOf: string | null
  release: Settled
}

function inWords({ account, submissionId, formId, duplicateOf, release }: Words): string {
  if (release.outcome === 'accepted') return `${submissionId} was accepted when it came: there is nothing to release.`
  if (release.outcome === 'already_released') {
    return `${submissionId} was released already, at ${timestamp(release.at)}: nothing was changed.`
  }
  return duplicateOf === null
    ? `Released ${submissionId}: it counts as a lead of ${account}'s form ${formId} from now on.`
    : `Released ${submissionId}: it counts from now on, as a likely duplicate of ${duplicateOf}.`
}
