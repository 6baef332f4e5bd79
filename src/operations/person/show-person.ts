import type { StoredAccount } from '../../account/account.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { plural } from '../../lib/quantities.ts'
import type { KnownEntry } from '../../report/known-records.ts'
import type { KnownPerson } from '../../report/person-reader.ts'
import { eventsOf, latestOf, submissionsOf } from '../../report/person-records.ts'
import type { EventRecord, SubmissionRecord } from '../../report/record.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { catchUp } from '../record/catch-up.ts'
import { type OnRecordNotice, readingNotices } from '../record/record-notice.ts'
import { erasureQuery, type PersonNamed } from './erase-person.ts'

/** What is known of a person; their records are read while the box is open, and may be more than memory should hold. */
export interface ShownPerson {
  person: KnownPerson
  /** Latest last. */
  latest(recordsMax: number): Promise<KnownEntry[]>
  submissions(): AsyncIterable<SubmissionRecord>
  events(): AsyncIterable<EventRecord>
}

type ShowingBox = Pick<Box, 'accounts' | 'processing' | 'persons' | 'facts' | 'erasure' | 'signingKeys'>

/** The person, as of what has been processed by now. @throws OperatorError when nobody is known by the address */
export async function showPerson(
  box: ShowingBox,
  { account: handle, email }: PersonNamed,
  onNotice: OnRecordNotice,
): Promise<ShownPerson> {
  const account = await accountNamed(box.accounts, handle)
  await catchUp(box.processing, onNotice)
  const person = await box.persons.named(account.id, email)
  if (person === null) throw await nobody(box, account, email)
  const { persons, facts } = box
  const wanted = { persons, facts, accountId: account.id, email, ...readingNotices(onNotice) }
  return {
    person,
    latest: (recordsMax) => latestOf(wanted, recordsMax),
    submissions: () => submissionsOf(wanted),
    events: () => eventsOf(wanted),
  }
}

async function nobody(box: ShowingBox, account: StoredAccount, email: string): Promise<OperatorError> {
  const { handle } = account
  return new OperatorError(
    `Nobody is known as ${email} in ${handle}: no accepted submission and no $identify event has named that address. \`capture export ${handle} persons\` lists everybody.${await otherMentions(box, account, email)}`,
  )
}

/** What an erasure would take of an address that is nobody's; it waits for no record that is still to be processed. */
async function otherMentions(box: ShowingBox, { id, handle }: StoredAccount, email: string): Promise<string> {
  if ((await box.processing.catchUp(0)) > 0) return ''
  const erasure = await box.erasure()
  const counts = await erasure.find(await erasureQuery(box, { accountId: id, email }))
  const { submissions, clicks } = counts
  const others = counts.events + counts.pageViews
  const mentions = [
    submissions > 0 ? `${plural(submissions, 'submission')} (refused, from the test page, or only naming it)` : '',
    clicks > 0 ? `${plural(clicks, 'click')} on links sent to it or naming it` : '',
    others > 0 ? `${plural(others, 'event or page view', 'events and page views')} naming it` : '',
  ].filter((part) => part !== '')
  if (mentions.length === 0) return ''
  return `\nHeld of the address all the same: ${mentions.join('; ')}. \`capture person erase ${handle} ${email}\` would take that.`
}
