import type { StoredAccount } from '../../account/account.ts'
import { NotThere } from '../../lib/operator-error.ts'
import { plural } from '../../lib/quantities.ts'
import { eventsOf, type KnownEntry, latestOf, submissionsOf } from '../../report/export.ts'
import { jsonText, showableJson } from '../../report/json-text.ts'
import { type KnownPerson, type PersonList, type PersonListQuery, personRecord } from '../../report/person-reader.ts'
import type { EventRecord, SubmissionRecord } from '../../report/record.ts'
import type { Box } from '../box.ts'
import { erasureQuery } from '../erasure/erase.ts'
import { accountCaughtUp, type OnRecordNotice } from '../record/catch-up.ts'
import { pageInTime } from '../record/page-in-time.ts'
import type { PersonNamed } from './person-named.ts'

/** A person. Their records may not fit in memory and are read while the box is open. */
interface ShownPerson {
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

/** The persons of an account, the latest known first. @throws OperatorError when there is no account of that handle */
export async function listPersons(
  box: Pick<Box, 'accounts' | 'processing' | 'persons' | 'clock'>,
  { account: handle, ...query }: Omit<PersonListQuery, 'accountId'> & { account: string },
  onNotice: OnRecordNotice,
): Promise<PersonList> {
  const account = await accountCaughtUp(box, handle, onNotice)
  const { found, next } = await pageInTime(query, box.clock, async (behind, limit) => {
    const part = await box.persons.latest({ ...query, behind, limit, accountId: account.id })
    return { found: part.persons, next: part.next }
  })
  return { persons: found, next }
}

/** A person and all their records as one JSON object, in pieces: the records may not fit in memory. */
export async function* personJson({ person, submissions, events }: ShownPerson): AsyncGenerator<string> {
  const text = showableJson(JSON.stringify(personRecord(person), null, 2))
  yield text.replace(/\n}$/, ',\n  "records": {\n    "submissions": [')
  yield* jsonItems(submissions())
  yield '],\n    "events": ['
  yield* jsonItems(events())
  yield ']\n  }\n}\n'
}

async function* jsonItems(records: AsyncIterable<object>): AsyncGenerator<string> {
  let before = '\n'
  for await (const record of records) {
    yield `${before}      ${jsonText(record)}`
    before = ',\n'
  }
  if (before !== '\n') yield '\n    '
}
