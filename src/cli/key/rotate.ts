import { timestamp } from '../../lib/quantities.ts'
import type { AnswerOf } from '../../operations/act.ts'
import type { rotateKey } from '../../operations/key/tracking-keys.ts'
import { defineCommand } from '../command.ts'
import { typedDuration } from '../input/typed-values.ts'

export const keyRotate = defineCommand({
  name: 'key rotate',
  summary: 'Mints a new tracking key, which is shown once',
  details: `Earlier keys stop working at once, or after --overlap: time to change the pages that have the old key.
If site.toml names a \`key\`, change that line as printed. Otherwise the next apply brings the old key back.
--json prints { "account", "trackingKey", "oldKeysValidUntil": "…"|null, "siteToml" }.`,
  args: { account: { summary: "the account's handle" } },
  options: { overlap: { value: 'AGE', summary: 'how long earlier keys still work, such as 7d' } },
  async run({ args, options: { overlap } }, session) {
    const { overlapMsMax, rotateKey } = await import('../../operations/key/tracking-keys.ts')
    typedDuration('--overlap', overlap, overlapMsMax)
    const { answer } = await session.act(rotateKey, { ...args, ...(overlap !== undefined && { overlap }) })
    return { json: answer, text: answer.trackingKey, notes: advice(answer) }
  },
})

const advice = ({ account, siteToml, oldKeysValidUntil }: AnswerOf<typeof rotateKey>): string[] => [
  `This is the tracking key of ${account} from now on; it is not shown again. Put it in data-site-key of its pages.`,
  `The keys before it ${oldKeysValidUntil === null ? 'no longer work' : `work until ${timestamp(Date.parse(oldKeysValidUntil))}`}.`,
  'If site.toml names a key, change it. Otherwise the next apply brings the old key back:',
  ...siteToml.trimEnd().split('\n'),
]
