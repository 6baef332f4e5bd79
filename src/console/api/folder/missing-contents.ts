import { Type } from '@sinclair/typebox'
import { accountContents } from '../../../operations/upload/account-contents.ts'
import { accountEndpoint } from '../endpoint.ts'
import { hashSchema } from './manifest.ts'

/** As many as fit into a body. */
const hashesMax = 3500

export const missingContentsEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/folder/missing',
  summary: 'Tell which contents have to be sent with a manifest, since the account has none of these hashes',
  scope: 'publish',
  clients: 'nothing',
  body: Type.Object({ hashes: Type.Array(hashSchema, { maxItems: hashesMax }) }, { additionalProperties: false }),
  answer: Type.Object({ missing: Type.Array(hashSchema) }),
  async run({ account, body }, box) {
    const hasContent = await accountContents(box, account.id)
    const missing: string[] = []
    for (const hash of body.hashes) if (!(await hasContent(hash))) missing.push(hash)
    return { value: { missing } }
  },
})
