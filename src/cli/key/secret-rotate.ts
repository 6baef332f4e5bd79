import { type RotatedPurpose, rotatedPurposes } from '../../account/signing-key.ts'
import { timestamp } from '../../lib/quantities.ts'
import type { RotatedSecret } from '../../operations/key/rotate-secret.ts'
import { defineCommand } from '../command.ts'

export const secretRotate = defineCommand({
  name: 'secret rotate',
  summary: 'Makes a new key for signing click links, identity cookies, preview addresses or shared reports',
  details: `What was signed before stays good for 400 more days, except preview addresses and links
to shared reports: those stop working at once.
--json prints { "purpose", "keyId", "oldKeysVerifyUntil": "…"|null }.`,
  args: { purpose: { summary: 'what the key signs', choices: rotatedPurposes } },
  async run({ args }, session) {
    const { purpose } = args
    const { rotatedSecretJson, rotateSecret } = await import('../../operations/key/rotate-secret.ts')
    const rotated = await session.withBox((box) => rotateSecret(box, purpose), {
      action: 'secret.rotate',
      subject: purpose,
    })
    return { json: rotatedSecretJson(purpose, rotated), text: sentence(purpose, rotated) }
  },
})

function sentence(purpose: RotatedPurpose, { keyId, oldKeysVerifyUntil }: RotatedSecret): string {
  if (oldKeysVerifyUntil === null) {
    const ended = purpose === 'share' ? 'Links to shared reports' : 'Preview addresses'
    return `${ended} are signed with the key ${keyId}; those from before no longer work.`
  }
  const signed = purpose === 'click' ? 'Click links' : 'Identity cookies'
  return `${signed} are signed with the key ${keyId}; those from before work until ${timestamp(oldKeysVerifyUntil)}.`
}
