import { Type } from '@sinclair/typebox'
import { retiredKeyVerifiesUntil, rotatedPurposes } from '../../account/signing-key.ts'
import { oneOf, text, textOrNull } from '../../lib/schema.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'

const purpose = oneOf(rotatedPurposes)

/** `oldKeysVerifyUntil`: when signatures of earlier keys become invalid; `null`: at once. */
export const rotateSecret = defineAct({
  name: 'secret.rotate',
  text: 'Make a new key that signs click links (click), identity cookies (cookie), preview addresses (preview) or shared reports (share)',
  of: 'box',
  scope: 'admin',
  asksAgain: true,
  input: Type.Object({ purpose }),
  answer: Type.Object({ purpose, keyId: text, oldKeysVerifyUntil: textOrNull }),
  subject: ({ purpose }) => purpose,
  async run({ signingKeys }: Pick<Box, 'signingKeys'>, { purpose }) {
    const { id: keyId, createdAt } = await signingKeys.rotate(purpose)
    const until = retiredKeyVerifiesUntil(purpose, createdAt)
    return { answer: { purpose, keyId, oldKeysVerifyUntil: until > createdAt ? new Date(until).toISOString() : null } }
  },
})
