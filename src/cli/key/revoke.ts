import { plural } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'
import { commandPublisher } from '../input/typing-user.ts'
import { toJson } from '../output/json.ts'

export const keyRevoke = defineCommand({
  name: 'key revoke',
  summary: "Revokes the account's tracking keys: every event request is refused from then on",
  details: '--json prints { "account", "revoked": <number of keys> }.',
  args: { account: { summary: "the account's handle" } },
  options: {},
  printsResult: true,
  async run({ args, json }, session) {
    const by = commandPublisher(session)
    const { withBox } = await import('../with-box.ts')
    const { revokeTrackingKeys } = await import('../../operations/key/revoke-tracking-keys.ts')
    const result = await withBox(session, (box) => revokeTrackingKeys(box, { ...args, by }), {
      action: 'key.revoke',
      account: args.account,
    })
    const { account, revoked } = result
    await session.out.write(json ? toJson(result) : `Revoked ${plural(revoked, 'tracking key')} of ${account}.\n`)
    session.err.write(
      `Events of ${account} are refused until \`capture key rotate ${account}\` mints a new key. ` +
        'Remove `key` from its site.toml. Otherwise the next apply brings that key back.\n',
    )
    return 0
  },
})
