import type { StoredAccount } from '../account/account.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { inChunks } from '../report/chunks.ts'
import { jsonText } from '../report/json-text.ts'
import type { KnownPerson } from '../report/person-reader.ts'
import { personRecord } from '../report/person-record.ts'
import { eventsOf, latestOf, type RecordsOf, submissionsOf } from '../report/person-records.ts'
import { catchUp } from './catch-up.ts'
import type { Box } from './open.ts'
import { toJson } from './output/json.ts'
import { styleFor } from './output/style.ts'
import { personText, timelineMax } from './person-words.ts'
import type { Session } from './session.ts'

interface Asked {
  box: Pick<Box, 'processing' | 'persons' | 'findings'>
  account: StoredAccount
  /** As `identityEmail` writes it. */
  email: string
  json: boolean
}

/** Prints the person, as of what has been processed by now. @throws OperatorError when nobody is known by the address */
export async function showPerson({ box, account, email, json }: Asked, session: Session): Promise<void> {
  await catchUp(box.processing, session)
  const person = await box.persons.named(account.id, email)
  if (person === null) throw nobody(email, account)
  const asked: RecordsOf = { ...box, accountId: account.id, email }
  if (json) {
    for await (const chunk of inChunks(jsonPieces(person, asked))) await session.out.write(chunk)
    return
  }
  const latest = await latestOf(asked, timelineMax)
  await session.out.write(personText({ person, latest }, styleFor(session.out, session.env)))
}

function nobody(email: string, { handle }: StoredAccount): OperatorError {
  return new OperatorError(
    `Nobody is known as ${email} in ${handle}: no accepted submission and no $identify event has named that address. \`capture export ${handle} persons\` lists everybody.`,
  )
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
