import { rotatedPurposes } from '../../account/signing-key.ts'
import { timestamp } from '../../lib/quantities.ts'
import type { AnswerOf } from '../../operations/act.ts'
import type { rotateSecret } from '../../operations/key/rotate-secret.ts'
import { defineCommand } from '../command.ts'

export const secretRotate = defineCommand({
  name: 'secret rotate',
  summary: 'Makes a new key for signing click links, identity cookies, preview addresses or shared reports',
  details: `What was signed before stays good for 400 more days, except preview addresses and links
to shared reports: those stop working at once.
--json prints { "purpose", "keyId", "oldKeysVerifyUntil": "…"|null }.`,
  args: { purpose: { summary: 'what the key signs', choices: rotatedPurposes } },
  async run({ args }, session) {
    const { rotateSecret } = await import('../../operations/key/rotate-secret.ts')
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
