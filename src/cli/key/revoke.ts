import { plural } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'

export const keyRevoke = defineCommand({
  name: 'key revoke',
  summary: "Revokes the account's tracking keys: every event request is refused from then on",
  details: '--json prints { "account", "revoked": <number of keys> }.',
  args: { account: { summary: "the account's handle" } },
  async run({ args }, session) {
    const { revokeKeys } = await import('../../operations/key/tracking-keys.ts')
    const { answer } = await session.act(revokeKeys, args)
    const { account, revoked } = answer
    return {
      json: answer,
      text: `Revoked ${plural(revoked, 'tracking key')} of ${account}.`,
      notes: [
        `Events of ${account} are refused until \`capture key rotate ${account}\` mints a new key. Remove \`key\` from its site.toml. Otherwise the next apply brings that key back.`,
      ],
    }
  },
})
