import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { closed } from '../../../lib/schema.ts'
import { knownContents } from '../../../operations/upload/apply-upload.ts'
import { manifestBytesMax, UploadFault, uploadFilesMax } from '../../../operations/upload/upload-folder.ts'
import { callerKey } from '../../access/caller.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { type ApiCall, accountEndpoint, boxEndpoint } from '../endpoint.ts'
import { schemaFault } from '../read-call.ts'

/** Lower-case hex SHA-256. */
const hashSchema = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** A folder without the contents of its files. */
const manifestSchema = closed({
  siteToml: Type.String({ maxLength: 16_777_216 }),
  /** The values of `secret_env` and `secret_file` on the folder's machine, by their keys: `bot_check`, `deliveries.crm`. */
  secrets: Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 4096 })),
  files: Type.Array(
    Type.Object({
      path: Type.String({ maxLength: 1024 }),
      sha256: hashSchema,
      bytes: Type.Integer({ minimum: 0, maximum: 1_073_741_824 }),
    }),
    { maxItems: uploadFilesMax },
  ),
})

export type FolderManifest = Static<typeof manifestSchema>

/** @param chunks JSON, or that in gzip (RFC 1952) @throws UploadFault */
export async function readManifest(chunks: AsyncIterable<Uint8Array>, isGzip: boolean): Promise<FolderManifest> {
  const bytes = await manifestBytes(isGzip ? unpacked(chunks) : chunks)
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (Value.Check(manifestSchema, value)) return value
    throw new UploadFault('unfit', `The manifest is invalid${schemaFault(manifestSchema, value)}.`)
  } catch (error) {
    if (error instanceof UploadFault) throw error
    throw new UploadFault('unfit', 'The manifest is not JSON in UTF-8.')
  }
}

async function manifestBytes(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.byteLength
    if (bytes > manifestBytesMax)
      throw new UploadFault('too_large', `A manifest can have at most ${manifestBytesMax} bytes.`)
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}

async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* streamOf(chunks).pipeThrough(new DecompressionStream('gzip'))
  } catch {
    throw new UploadFault('unfit', 'The manifest is not complete gzip.')
  }
}

function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await source.next()
      if (done === true) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
  })
}

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
