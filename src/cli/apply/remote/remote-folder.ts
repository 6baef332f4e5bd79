import { relative } from 'node:path'
import { newShortId } from '../../../lib/id.ts'
import { hashAssets } from '../../../site/asset-bytes.ts'
import type { SiteFolder } from '../../../site/folder.ts'

/** A checked folder, ready to be sent. */
export interface RemoteFolder {
  manifest: SentManifest
  /** A file of each content, by hash. */
  fileOf: ReadonlyMap<string, string>
}

/** Hashes the files of a folder. @throws SiteFaults for pages that are not UTF-8 */
export async function remoteFolder(
  { root, assets, fetchedSecrets }: SiteFolder,
  options: Parameters<typeof hashAssets>[1],
): Promise<RemoteFolder> {
  const hashed = await hashAssets(assets, options)
  const files = new Map(
    hashed.map(({ file, sha256, byteCount }) => {
      const path = relative(root, file)
      return [path, { path, sha256, bytes: byteCount }]
    }),
  )
  return {
    manifest: {
      siteToml: await siteTomlText(root),
      secrets: Object.fromEntries(fetchedSecrets),
      files: [...files.values()],
    },
    fileOf: new Map(hashed.map(({ sha256, file }) => [sha256, file])),
  }
}

/** With a byte order mark where there is one. */
const siteTomlText = async (root: string): Promise<string> =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await Bun.file(`${root}/site.toml`).bytes())

/** A file of a form. */
interface FormPart {
  field: string
  type: string
  chunks: AsyncIterable<Uint8Array>
}

/** A folder without the contents of its files, as the API's `manifest` has it. */
interface SentManifest {
  siteToml: string
  secrets: Record<string, string>
  files: { path: string; sha256: string; bytes: number }[]
}

/** A form (RFC 7578) that is made while it is sent: whole files need not fit into memory. */
export function folderForm(
  manifest: SentManifest,
  contents: readonly string[],
): { type: string; body: ReadableStream } {
  const boundary = `capture-${newShortId()}${newShortId()}${newShortId()}`
  const parts = [
    { field: 'manifest', type: 'application/gzip', chunks: one(Bun.gzipSync(JSON.stringify(manifest))) },
    ...contents.map((file) => ({ field: 'content', type: 'application/octet-stream', chunks: bytesOf(file) })),
  ]
  return { type: `multipart/form-data; boundary=${boundary}`, body: streamOf(formChunks(parts, boundary)) }
}

async function* formChunks(parts: readonly FormPart[], boundary: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (const { field, type, chunks } of parts) {
    yield encoder.encode(
      `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${field}"\r\ncontent-type: ${type}\r\n\r\n`,
    )
    yield* chunks
    yield encoder.encode('\r\n')
  }
  yield encoder.encode(`--${boundary}--\r\n`)
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  yield* Bun.file(file).stream()
}

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await chunks.return(undefined)),
  })
}
