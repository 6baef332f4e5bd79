import { allowedText } from '../../operations/retention/retention-words.ts'
import { defineCommand } from '../command.ts'

export const retentionAllow = defineCommand({
  name: 'retention allow',
  summary: "Permits an account's deletion that waits for your consent",
  details: `For one pass; a running server begins within a second, another when it starts. \`capture retention list\` says what waits.
--json prints { "account", "allowed": { "class", "due", "kept", "also": { "submissions", "events",
"refused" } }|null }; null: nothing waits.`,
  args: { account: { summary: "the account's handle" } },
  async run({ args }, session) {
    const { allowDeletion } = await import('../../operations/retention/allow-deletion.ts')
    const { account, allowed } = await session.withBox((box) => allowDeletion(box, args.account), {
      action: 'retention.allow',
      account: args.account,
    })
    const text = allowed === null ? `No deletion of ${account} waits.` : allowedText(account, allowed)
    return { json: { account, allowed }, text }
  },
})
