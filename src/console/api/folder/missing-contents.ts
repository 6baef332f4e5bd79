import { Type } from '@sinclair/typebox'
import { accountContents } from '../../../operations/upload/account-contents.ts'
import { accountEndpoint } from '../endpoint.ts'
import { hashSchema } from './manifest.ts'

/** The number that fits into a body. */
const hashesMax = 3500

export const missingContentsEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/folder/missing',
  summary: 'List the contents of a manifest that the account lacks and that have to be sent',
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
