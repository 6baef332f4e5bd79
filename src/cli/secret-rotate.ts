import { type RotatedPurpose, retiredKeyVerifiesUntil, rotatedPurposes } from '../account/signing-key.ts'
import { defineCommand } from './command.ts'
import { toJson } from './output/json.ts'
import { timestamp } from './output/quantities.ts'

export const secretRotate = defineCommand({
  name: 'secret rotate',
  summary: 'Makes a new key for signing click links, identity cookies or preview addresses',
  details: `What was signed before stays good for 400 more days, except preview addresses: those stop working at once.
--json prints { "purpose", "keyId", "oldKeysVerifyUntil": "…"|null }.`,
  args: { purpose: { summary: 'what the key signs', choices: rotatedPurposes } },
  options: {},
  printsResult: true,
  async run({ args, json }, session) {
    const { purpose } = args
    const { withBox } = await import('./with-box.ts')
    const key = await withBox(session, ({ signingKeys }) => signingKeys.rotate(purpose))
    const until = retiredKeyVerifiesUntil(purpose, key.createdAt)
    const oldKeysVerifyUntil = until > key.createdAt ? new Date(until).toISOString() : null
    await session.out.write(
      json ? toJson({ purpose, keyId: key.id, oldKeysVerifyUntil }) : `${sentence(purpose, key.id, until)}\n`,
    )
    return 0
  },
})

function sentence(purpose: RotatedPurpose, keyId: string, until: number): string {
  if (purpose === 'preview')
    return `Preview addresses are signed with the key ${keyId}; those from before no longer work.`
  const signed = purpose === 'click' ? 'Click links' : 'Identity cookies'
  return `${signed} are signed with the key ${keyId}; those from before work until ${timestamp(until)}.`
}
