import { rotatedPurposes } from '../../account/signing-key.ts'
import { mintTrackingKey } from '../../account/tracking-key.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import type { AnswerOf } from '../../operations/act.ts'
import type { rotateKey, rotateSecret } from '../../operations/key/keys.ts'
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
    const { overlapMsMax, rotateKey } = await import('../../operations/key/keys.ts')
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

export const keyRevoke = defineCommand({
  name: 'key revoke',
  summary: "Revokes the account's tracking keys: every event request is refused from then on",
  details: '--json prints { "account", "revoked": <number of keys> }.',
  args: { account: { summary: "the account's handle" } },
  async run({ args }, session) {
    const { revokeKeys } = await import('../../operations/key/keys.ts')
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

export const keyNew = defineCommand({
  name: 'key new',
  summary: 'Prints a fresh tracking key for a site.toml',
  details: 'The key is stored nowhere. It works once `capture apply` finds it as `key` under [tracking].',
  async run() {
    const trackingKey = mintTrackingKey()
    return { json: { trackingKey }, text: trackingKey }
  },
})

export const secretRotate = defineCommand({
  name: 'secret rotate',
  summary: 'Makes a new key for signing click links, identity cookies, preview addresses or shared reports',
  details: `What was signed before stays good for 400 more days, except preview addresses and links
to shared reports: those stop working at once.
--json prints { "purpose", "keyId", "oldKeysVerifyUntil": "…"|null }.`,
  args: { purpose: { summary: 'what the key signs', choices: rotatedPurposes } },
  async run({ args }, session) {
    const { rotateSecret } = await import('../../operations/key/keys.ts')
    const { answer } = await session.act(rotateSecret, args)
    return { json: answer, text: sentence(answer) }
  },
})

function sentence({ purpose, keyId, oldKeysVerifyUntil }: AnswerOf<typeof rotateSecret>): string {
  if (oldKeysVerifyUntil === null) {
    const ended = purpose === 'share' ? 'Links to shared reports' : 'Preview addresses'
    return `${ended} are signed with the key ${keyId}; those from before no longer work.`
  }
  const signed = purpose === 'click' ? 'Click links' : 'Identity cookies'
  return `${signed} are signed with the key ${keyId}; those from before work until ${timestamp(Date.parse(oldKeysVerifyUntil))}.`
}
