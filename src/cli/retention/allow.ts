import { allowedText } from '../../operations/retention/retention-words.ts'
import { defineCommand } from '../command.ts'
import { toJson } from '../output/json.ts'

export const retentionAllow = defineCommand({
  name: 'retention allow',
  summary: "Permits an account's deletion that waits for your consent",
  details: `For one pass; a running server begins within a second, another when it starts. \`capture retention list\` says what waits.
--json prints { "account", "allowed": { "class", "due", "kept", "also": { "submissions", "events",
"refused" } }|null }; null: nothing waits.`,
  args: { account: { summary: "the account's handle" } },
  options: {},
  printsResult: true,
  async run({ args, json }, session) {
    const { withBox } = await import('../with-box.ts')
    const { allowDeletion } = await import('../../operations/retention/allow-deletion.ts')
    const { account, allowed } = await withBox(session, (box) => allowDeletion(box, args.account), {
      action: 'retention.allow',
      account: args.account,
    })
    const text = allowed === null ? `No deletion of ${account} waits.\n` : `${allowedText(account, allowed)}\n`
    await session.out.write(json ? toJson({ account, allowed }) : text)
    return 0
  },
})
