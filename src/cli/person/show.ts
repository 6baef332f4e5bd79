import { identityEmail } from '../../ledger/identity-email.ts'
import type { ShownPerson } from '../../operations/person/show-person.ts'
import { inChunks } from '../../report/chunks.ts'
import { jsonText } from '../../report/json-text.ts'
import { personRecord } from '../../report/person-record.ts'
import { defineCommand, usageError } from '../command.ts'
import { toJson } from '../output/json.ts'
import { styleFor } from '../output/style.ts'
import { RecordNotices } from '../record/record-notices.ts'
import { personText, timelineMax } from './person-text.ts'

export const personShow = defineCommand({
  name: 'person show',
  summary: 'Shows what is known of one person: where they came from, their devices, traits and latest records',
  details: `Who belongs together, and why, is in docs/identity.md.
--json prints the person as \`capture export ACCOUNT persons\` does, and all their records as exported in
"records": { "submissions": […], "events": […] }.
  capture person show acme ada@customer.example`,
  args: { account: { summary: "the account's handle" }, email: { summary: "the person's e-mail address" } },
  options: {},
  printsResult: true,
  async run({ args, json }, session) {
    const email = identityEmail(args.email)
    if (email === null) throw usageError(`"${args.email}" is no e-mail address.`)
    const notices = new RecordNotices(session.err)
    const { withBox } = await import('../with-box.ts')
    const { showPerson } = await import('../../operations/person/show-person.ts')
    await withBox(session, async (box) => {
      const shown = await showPerson(box, { account: args.account, email }, notices.onNotice)
      if (json) {
        for await (const chunk of inChunks(jsonPieces(shown))) await session.out.write(chunk)
        return
      }
      const latest = await shown.latest(timelineMax)
      const style = styleFor(session.out, session.env)
      await session.out.write(personText({ person: shown.person, latest }, style, session.out.columns))
    })
    return notices.exitStatus()
  },
})

/** One object, in pieces: a person may have more records than memory should hold. */
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
