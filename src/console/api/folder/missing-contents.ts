import { Type } from '@sinclair/typebox'
import { closed } from '../../../lib/schema.ts'
import { knownContents } from '../../../operations/upload/apply-upload.ts'
import { callerKey } from '../../access/caller.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { type ApiCall, accountEndpoint, boxEndpoint } from '../endpoint.ts'
import { hashSchema } from './manifest.ts'

/** The number that fits into a body. */
const hashesMax = 3500

const shared = {
  method: 'POST',
  scope: 'publish',
  body: closed({ hashes: Type.Array(hashSchema, { maxItems: hashesMax }) }),
  answer: Type.Object({ missing: Type.Array(hashSchema) }),
} as const

export const missingContentsEndpoint = accountEndpoint({
  ...shared,
  path: '/accounts/:account/folder/missing',
  summary:
    'List the contents of a manifest that have to be sent: neither the account has them, nor a failed upload of yours within the last hour',
  run: async (call, box) => missing(call, box, await knownContents(box, call.account.id)),
})

export const missingNewContentsEndpoint = boxEndpoint({
  ...shared,
  path: '/accounts/apply/missing',
  summary:
    'List the contents of a new account’s manifest that have to be sent: no failed upload of yours has left them within the last hour',
  run: (call, box) => missing(call, box, async () => false),
})

async function missing(
  { body, caller }: ApiCall<unknown, { hashes: string[] }>,
  { uploads }: ConsoleBox,
  hasContent: (sha256: string) => Promise<boolean>,
): Promise<{ value: { missing: string[] } }> {
  const found: string[] = []
  const sender = callerKey(caller)
  for (const hash of body.hashes)
    if (!(await hasContent(hash)) && !(await uploads.isKept(sender, hash))) found.push(hash)
  return { value: { missing: found } }
}
