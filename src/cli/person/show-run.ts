import type { StoredAccount } from '../../account/account.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { plural } from '../../lib/quantities.ts'
import { inChunks } from '../../report/chunks.ts'
import { jsonText } from '../../report/json-text.ts'
import type { KnownPerson } from '../../report/person-reader.ts'
import { personRecord } from '../../report/person-record.ts'
import { eventsOf, latestOf, type RecordsOf, submissionsOf } from '../../report/person-records.ts'
import type { ExitStatus } from '../command.ts'
import type { CommandBox } from '../open.ts'
import { toJson } from '../output/json.ts'
import { styleFor } from '../output/style.ts'
import { catchUp } from '../record/catch-up.ts'
import { UnreadableRecords } from '../record/unreadable.ts'
import type { Session } from '../session.ts'
import { erasureQuery } from './erase-run.ts'
import { personText, timelineMax } from './person-text.ts'

interface Asked {
  box: Pick<CommandBox, 'processing' | 'persons' | 'findings' | 'erasure' | 'signingKeys'>
  account: StoredAccount
  /** As `identityEmail` writes it. */
  email: string
  json: boolean
}

/** Prints the person, as of what has been processed by now. @throws OperatorError when nobody is known by the address */
export async function showPerson(shown: Asked, session: Session): Promise<ExitStatus> {
  const { box, account, email, json } = shown
  await catchUp(box.processing, session)
  const person = await box.persons.named(account.id, email)
  if (person === null) throw await nobody(shown)
  const unreadable = new UnreadableRecords(session.err)
  const { onUnreadable, onUnknown } = unreadable
  const asked: RecordsOf = { ...box, accountId: account.id, email, onUnreadable, onUnknown }
  if (json) {
    for await (const chunk of inChunks(jsonPieces(person, asked))) await session.out.write(chunk)
    return unreadable.exitStatus()
  }
  const latest = await latestOf(asked, timelineMax)
  await session.out.write(personText({ person, latest }, styleFor(session.out, session.env), session.out.columns))
  return unreadable.exitStatus()
}

async function nobody(asked: Asked): Promise<OperatorError> {
  const { handle } = asked.account
  return new OperatorError(
    `Nobody is known as ${asked.email} in ${handle}: no accepted submission and no $identify event has named that address. \`capture export ${handle} persons\` lists everybody.${await heldAllTheSame(asked)}`,
  )
}

/** What an erasure would take of an address that is nobody's; it waits for no record that is still to be processed. */
async function heldAllTheSame(asked: Asked): Promise<string> {
  const { box, account, email } = asked
  if ((await box.processing.catchUp(0)) > 0) return ''
  const erasure = await box.erasure()
  const { submissions, clicks, events, pageViews } = await erasure.find(await erasureQuery(asked))
  const others = events + pageViews
  const held = [
    submissions > 0 ? `${plural(submissions, 'submission')} (refused, from the test page, or only naming it)` : '',
    clicks > 0 ? `${plural(clicks, 'click')} on links sent to it or naming it` : '',
    others > 0 ? `${plural(others, 'event or page view', 'events and page views')} naming it` : '',
  ].filter((part) => part !== '')
  if (held.length === 0) return ''
  return `\nHeld of the address all the same: ${held.join('; ')}. \`capture person erase ${account.handle} ${email}\` would take that.`
}

/** One object, in pieces: a person may have more records than memory should hold. */
async function* jsonPieces(person: KnownPerson, asked: RecordsOf): AsyncGenerator<string> {
  yield toJson(personRecord(person)).replace(/\n}\n$/, ',\n  "records": {\n    "submissions": [')
  yield* jsonItems(submissionsOf(asked))
  yield '],\n    "events": ['
  yield* jsonItems(eventsOf(asked))
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
