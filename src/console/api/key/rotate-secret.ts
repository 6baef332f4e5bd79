import { Type } from '@sinclair/typebox'
import { rotatedPurposes } from '../../../account/signing-key.ts'
import { rotatedSecretJson, rotateSecret } from '../../../operations/key/rotate-secret.ts'
import { ApiError } from '../api-error.ts'
import { boxEndpoint } from '../endpoint.ts'
import { oneOf, text, textOrNull } from '../schema.ts'

export const rotateSecretEndpoint = boxEndpoint({
  method: 'POST',
  path: '/secrets/:purpose/rotate',
  summary:
    'Make a new key that signs click links (click), identity cookies (cookie), preview addresses (preview) or shared reports (share)',
  scope: 'admin',
  asksAgain: true,
  audited: 'secret.rotate',
  answer: Type.Object({ purpose: oneOf(rotatedPurposes), keyId: text, oldKeysVerifyUntil: textOrNull }),
  async run({ params }, box) {
    const purpose = rotatedPurposes.find((name) => name === params.purpose)
    if (purpose === undefined) throw new ApiError('not_found')
    return { value: rotatedSecretJson(purpose, await rotateSecret(box, purpose)) }
  },
})
