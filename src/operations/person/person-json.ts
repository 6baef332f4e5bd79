import { jsonText, showableJson } from '../../report/json-text.ts'
import { personRecord } from '../../report/person-record.ts'
import type { ShownPerson } from './show-person.ts'

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
