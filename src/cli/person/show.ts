import { identityEmail } from '../../ledger/identity-email.ts'
import { inChunks } from '../../report/chunks.ts'
import { defineCommand, usageError } from '../command.ts'
import { noticesTo } from '../record/record-notices.ts'

export const personShow = defineCommand({
  name: 'person show',
  summary: 'Shows what is known of one person: where they came from, their devices, traits and latest records',
  details: `docs/identity.md says which records belong to a person, and why.
--json prints the person as \`capture export ACCOUNT persons\` does, and all their records as exported in
"records": { "submissions": […], "events": […] }.
  capture person show acme ada@customer.example`,
  args: { account: { summary: "the account's handle" }, email: { summary: "the person's e-mail address" } },
  async run({ args, json }, session) {
    const email = identityEmail(args.email)
    if (email === null) throw usageError(`"${args.email}" is not an e-mail address.`)
    const { showPerson } = await import('../../operations/person/show-person.ts')
    const { personJson } = await import('../../operations/person/person-json.ts')
    const { personText, timelineMax } = await import('./person-text.ts')
    const onNotice = noticesTo(session.err)
    const shown = await session.withBox(
      async (box) => {
        const found = await showPerson(box, { account: args.account, email }, onNotice)
        const { person } = found
        if (!json) return { person, latest: await found.latest(timelineMax) }
        for await (const chunk of inChunks(personJson(found))) await session.out.write(chunk)
        return { person, latest: null }
      },
      { action: 'person.read', account: args.account, subject: (done) => done?.person.id ?? '' },
    )
    const { person, latest } = shown
    return latest === null ? 0 : { text: (layout) => personText({ person, latest }, layout) }
  },
})
