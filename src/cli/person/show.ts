import { identityEmail } from '../../ledger/identity-email.ts'
import { defineCommand, usageError } from '../command.ts'

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
    if (email === null) throw usageError(`"${args.email}" is not an e-mail address.`)
    const { runPersonShow } = await import('./show-run.ts')
    return runPersonShow({ account: args.account, email, json }, session)
  },
})
