import { plural } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'
import { commandPublisher } from '../input/typing-user.ts'

export const keyRevoke = defineCommand({
  name: 'key revoke',
  summary: "Revokes the account's tracking keys: every event request is refused from then on",
  details: '--json prints { "account", "revoked": <number of keys> }.',
  args: { account: { summary: "the account's handle" } },
  async run({ args }, session) {
    const by = commandPublisher(session)
    const { revokeTrackingKeys } = await import('../../operations/key/tracking-keys.ts')
    const result = await session.withBox((box) => revokeTrackingKeys(box, { ...args, by }), {
      action: 'key.revoke',
      account: args.account,
    })
    const { account, revoked } = result
    return {
      json: result,
      text: `Revoked ${plural(revoked, 'tracking key')} of ${account}.`,
      notes: [
        `Events of ${account} are refused until \`capture key rotate ${account}\` mints a new key. Remove \`key\` from its site.toml. Otherwise the next apply brings that key back.`,
      ],
    }
  },
})
