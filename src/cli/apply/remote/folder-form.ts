import { newShortId } from '../../../lib/id.ts'

/** A file of a form. */
interface FormPart {
  field: string
  type: string
  chunks: AsyncIterable<Uint8Array>
}

/** A folder without the contents of its files, as the API's `manifest` has it. */
export interface SentManifest {
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
