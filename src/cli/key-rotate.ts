import { mintTrackingKey, trackingKeyFingerprint } from '../account/tracking-key.ts'
import { accountNamed } from './account-named.ts'
import { defineCommand } from './command.ts'
import { toJson } from './output/json.ts'
import { timestamp } from './output/quantities.ts'
import { typedDuration } from './typed-time.ts'

const overlapMsMax = 366 * 86_400_000

export const keyRotate = defineCommand({
  name: 'key rotate',
  summary: 'Mints a new tracking key, which is shown once',
  details: `The keys before it stop working at once, or after --overlap: time to change the pages that carry the old one.
A site.toml with a \`key\` of its own puts that one back in force with the next apply, unless the line is changed as printed.
--json prints { "account", "trackingKey", "oldKeysValidUntil": "…"|null, "siteToml" }.`,
  args: { account: { summary: "the account's handle" } },
  options: { overlap: { value: 'AGE', summary: 'how long the keys before it still work, such as 7d' } },
  printsResult: true,
  async run({ args, options, json }, session) {
    const overlapMs = typedDuration('--overlap', options.overlap, overlapMsMax)
    const oldValidUntil = overlapMs === null ? null : session.clock.now() + overlapMs
    const trackingKey = mintTrackingKey()
    const { withBox } = await import('./with-box.ts')
    const account = await withBox(session, async ({ accounts }) => {
      const found = await accountNamed(accounts, args.account)
      await accounts.addTrackingKey(found.id, trackingKeyFingerprint(trackingKey), oldValidUntil)
      return found.handle
    })
    const siteToml = `[tracking]\nkey = "${trackingKey}"\n`
    const oldKeysValidUntil = oldValidUntil === null ? null : new Date(oldValidUntil).toISOString()
    await session.out.write(json ? toJson({ account, trackingKey, oldKeysValidUntil, siteToml }) : `${trackingKey}\n`)
    session.err.write(advice(account, siteToml, oldValidUntil))
    return 0
  },
})

const advice = (account: string, siteToml: string, oldValidUntil: number | null): string =>
  `This is the tracking key of ${account} from now on; it is not shown again. It belongs into data-site-key of its pages.
The keys before it ${oldValidUntil === null ? 'no longer work' : `work until ${timestamp(oldValidUntil)}`}.
Where site.toml has a key, change it, or the next apply puts the old one back in force:
${siteToml}`
