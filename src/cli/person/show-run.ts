import { type ShownPerson, showPerson } from '../../operations/person/show-person.ts'
import { inChunks } from '../../report/chunks.ts'
import { jsonText } from '../../report/json-text.ts'
import { personRecord } from '../../report/person-record.ts'
import type { ExitStatus } from '../command.ts'
import type { CommandBox } from '../open.ts'
import { toJson } from '../output/json.ts'
import { styleFor } from '../output/style.ts'
import { RecordNotices } from '../record/record-notices.ts'
import type { Session } from '../session.ts'
import { withBox } from '../with-box.ts'
import { personText, timelineMax } from './person-text.ts'

interface PersonRequest {
  account: string
  /** As `identityEmail` writes it. */
  email: string
  json: boolean
}

export async function runPersonShow({ json, ...person }: PersonRequest, session: Session): Promise<ExitStatus> {
  const notices = new RecordNotices(session.err)
  const show = async (box: CommandBox): Promise<string> => {
    const shown = await showPerson(box, person, notices.onNotice)
    const { id } = shown.person
    if (json) {
      for await (const chunk of inChunks(jsonPieces(shown))) await session.out.write(chunk)
      return id
    }
    const latest = await shown.latest(timelineMax)
    const style = styleFor(session.out, session.env)
    await session.out.write(personText({ person: shown.person, latest }, style, session.out.columns))
    return id
  }
  await withBox(session, show, { action: 'person.read', account: person.account, subject: (id) => id })
  return notices.exitStatus()
}

/** One JSON object in chunks, since a person's records may not fit in memory. */
async function* jsonPieces({ person, submissions, events }: ShownPerson): AsyncGenerator<string> {
  yield toJson(personRecord(person)).replace(/\n}\n$/, ',\n  "records": {\n    "submissions": [')
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
