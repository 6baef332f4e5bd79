import type { StoredAccount } from '../../account/account.ts'
import { NotThere } from '../../lib/operator-error.ts'
import { plural } from '../../lib/quantities.ts'
import type { KnownEntry } from '../../report/export.ts'
import { eventsOf, latestOf, submissionsOf } from '../../report/export.ts'
import type { KnownPerson } from '../../report/person-reader.ts'
import type { EventRecord, SubmissionRecord } from '../../report/record.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp } from '../record/catch-up.ts'
import type { OnRecordNotice } from '../record/record-notice.ts'
import { erasureQuery } from './erase-person.ts'
import type { PersonNamed } from './person-named.ts'

/** A person. Their records may not fit in memory and are read while the box is open. */
export interface ShownPerson {
  person: KnownPerson
  /** Latest last. */
  latest(recordsMax: number): Promise<KnownEntry[]>
  submissions(): AsyncIterable<SubmissionRecord>
  events(): AsyncIterable<EventRecord>
}

type ShowingBox = Pick<Box, 'accounts' | 'processing' | 'persons' | 'facts' | 'erasure' | 'signingKeys'>

/** The person, after waiting records were processed. @throws NotThere when nobody is known by the address */
export async function showPerson(
  box: ShowingBox,
  { account: handle, email }: PersonNamed,
  onNotice: OnRecordNotice,
): Promise<ShownPerson> {
  const account = await accountCaughtUp(box, handle, onNotice)
  const person = await box.persons.named(account.id, email)
  if (person === null) throw await nobody(box, account, email)
  const { persons, facts } = box
  const wanted = { persons, facts, accountId: account.id, email }
  return {
    person,
    latest: (recordsMax) => latestOf(wanted, recordsMax),
    submissions: () => submissionsOf(wanted),
    events: () => eventsOf(wanted),
  }
}

async function nobody(box: ShowingBox, account: StoredAccount, email: string): Promise<NotThere> {
  const { handle } = account
  return new NotThere(
    `Nobody is known as ${email} in ${handle}: no accepted submission and no $identify event has this address. \`capture export ${handle} persons\` lists everybody.${await otherMentions(box, account, email)}`,
  )
}

/** Other records with the address, which an erasure would delete. Empty while records wait to be processed. */
async function otherMentions(box: ShowingBox, { id, handle }: StoredAccount, email: string): Promise<string> {
  if ((await box.processing.catchUp(0)) > 0) return ''
  const erasure = await box.erasure()
  const counts = await erasure.find(await erasureQuery(box, { accountId: id, email }))
  const { submissions, clicks } = counts
  const others = counts.events + counts.pageViews
  const mentions = [
    submissions > 0 ? `${plural(submissions, 'submission')} (refused, from the test page, or only mentioning it)` : '',
    clicks > 0 ? `${plural(clicks, 'click')} on links sent to it or mentioning it` : '',
    others > 0 ? `${plural(others, 'event or page view', 'events and page views')} mentioning it` : '',
  ].filter((part) => part !== '')
  if (mentions.length === 0) return ''
  return `\nThe box still has records with the address: ${mentions.join('; ')}. \`capture person erase ${handle} ${email}\` would erase them.`
}
