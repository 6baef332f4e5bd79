import { timestamp } from '../../lib/quantities.ts'
import type { RotatedTrackingKey } from '../../operations/key/tracking-keys.ts'
import { defineCommand } from '../command.ts'
import { typedDuration } from '../input/typed-time.ts'
import { commandPublisher } from '../input/typing-user.ts'

export const keyRotate = defineCommand({
  name: 'key rotate',
  summary: 'Mints a new tracking key, which is shown once',
  details: `The keys before it stop working at once, or after --overlap: time to change the pages that carry the old one.
If site.toml names a \`key\`, change that line as printed. Otherwise the next apply brings the old key back.
--json prints { "account", "trackingKey", "oldKeysValidUntil": "…"|null, "siteToml" }.`,
  args: { account: { summary: "the account's handle" } },
  options: { overlap: { value: 'AGE', summary: 'how long the keys before it still work, such as 7d' } },
  async run({ args, options }, session) {
    const { overlapMsMax, rotatedKeyJson, rotateTrackingKey } = await import('../../operations/key/tracking-keys.ts')
    const overlapMs = typedDuration('--overlap', options.overlap, overlapMsMax)
    const by = commandPublisher(session)
    const rotated = await session.withBox((box) => rotateTrackingKey(box, { ...args, overlapMs, by }), {
      action: 'key.rotate',
      account: args.account,
    })
    return { json: rotatedKeyJson(rotated), text: rotated.trackingKey, notes: advice(rotated) }
  },
})

const advice = ({ account, siteToml, oldKeysValidUntil }: RotatedTrackingKey): string[] => [
  `This is the tracking key of ${account} from now on; it is not shown again. Put it in data-site-key of its pages.`,
  `The keys before it ${oldKeysValidUntil === null ? 'no longer work' : `work until ${timestamp(oldKeysValidUntil)}`}.`,
  'If site.toml names a key, change it. Otherwise the next apply brings the old key back:',
  ...siteToml.trimEnd().split('\n'),
]
