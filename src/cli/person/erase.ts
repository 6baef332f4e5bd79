import { identityEmail } from '../../ledger/identity-email.ts'
import { defineCommand, usageError } from '../command.ts'
import { erasableResult, erasureResult } from '../erasure/erasure-text.ts'

export const personErase = defineCommand({
  name: 'person erase',
  summary: 'Erases one person: their records, devices and everything made of them',
  details: `Without --yes it only prints what it would erase, and ends with exit status 2. Only a backup brings them back.
--submission erases whoever sent it, also without an email address: that record, what its device recorded while it was nobody
else's, and every record with the same phone number in a field that holds one.
It works beside a running server; if it is interrupted, run it again to finish it. docs/privacy.md says what goes, what stays
and what an erasure cannot reach.
--json prints { "account", "erased": true|false, "submissions", "events", "pageViews", "clicks", "devices" }, and with
--yes "verified", "mentions" (how many records of other persons name the address), "mentionedIn" (their ids, of more
than 100 the first 100), "snapshots" and "movedAside"; "notDerived" counts devices that could not be derived again. "destinations" are those that
deliveries have told of them, where there are any. "notYetOn" names nodes of a cluster that have not erased yet. "erased" is false where nothing was held of the address.
  capture person erase acme ada@customer.example --yes
  capture person erase acme --submission 01a1fb9b-63c5-76c7-8301-36bd5b40ceed --yes`,
  args: {
    account: { summary: "the account's handle" },
    email: { summary: "the person's email address", optional: true },
  },
  options: {
    submission: { value: 'ID', summary: 'whoever sent this submission, instead of an address' },
    yes: { summary: 'erase them' },
  },
  async run({ args: { account, email }, options }, session) {
    const by = erasedBy(email, options.submission)
    const { erasablePerson, erasePerson } = await import('../../operations/person/erase-person.ts')
    if (options.yes) {
      const { answer, receipt } = await session.act(erasePerson, { account, ...by })
      return erasureResult(receipt, answer)
    }
    const { counts, answer } = await session.withBox((box) => erasablePerson(box, { account, ...by }, () => {}))
    return erasableResult(counts, answer)
  },
})

function erasedBy(
  typed: string | undefined,
  submission: string | undefined,
): { person: string } | { submission: string } {
  if (typed === undefined && submission !== undefined) return { submission }
  if (typed === undefined || submission !== undefined)
    throw usageError('Name either an email address or --submission ID.')
  const email = identityEmail(typed)
  if (email === null) throw usageError(`"${typed}" is not an email address.`)
  return { person: email }
}
