import { Busboy } from '@fastify/busboy'
import { UploadFault, uploadFilesMax } from '../../../operations/upload/upload-folder.ts'

/** One file of a form (RFC 7578). */
export interface FilePart {
  /** The name of the form's field. */
  field: string
  /** The path as sent, with its folders; `''`: no file was chosen. */
  fileName: string
  type: string
  chunks: AsyncIterable<Uint8Array>
}

/** Passes on each file of a form while it arrives, one after the other. Ignores other fields. @throws UploadFault for an invalid form */
export async function eachFilePart(
  headers: Headers,
  body: AsyncIterable<Uint8Array>,
  onFile: (part: FilePart) => Promise<void>,
): Promise<void> {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  // It may fail after everybody has stopped waiting.
  failed.catch(() => {})
  const parser = parserFor(headers)
  let work = Promise.resolve()
  let arriving: { destroy(error: Error): void } | null = null
  parser.on('file', (field, chunks, fileName, _encoding, type) => {
    // The reader of the file reports its error; nobody may be reading yet.
    chunks.on('error', () => {})
    arriving = chunks
    work = work.then(() => onFile({ field, fileName: fileName ?? '', type, chunks }))
    work.catch(reject)
  })
  const ended = new Promise<void>((resolve) => parser.on('finish', () => resolve()))
  parser.on('error', () => reject(notWhole()))
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => reject(new UploadFault('too_large', `A form can have at most ${uploadFilesMax} files.`)))
  try {
    for await (const chunk of body) {
      if (!parser.write(chunk)) await Promise.race([new Promise((resolve) => parser.once('drain', resolve)), failed])
    }
    parser.end()
    await Promise.race([ended, failed])
    await work
  } catch (error) {
    // Stops waiting for files that will not arrive. Nothing is written after this returns.
    breakOff(arriving)
    await work.catch(() => {})
    throw error
  } finally {
    parser.destroy()
  }
}

const breakOff = (file: { destroy(error: Error): void } | null): void => file?.destroy(new Error('the form broke off'))

function parserFor(headers: Headers) {
  try {
    return new Busboy({
      headers: { 'content-type': headers.get('content-type') ?? '' },
      preservePath: true,
      limits: { files: uploadFilesMax, fields: 100, fieldSize: 65_536, headerPairs: 50, headerSize: 16_384 },
    })
  } catch {
    throw notWhole()
  }
}

const notWhole = (): UploadFault =>
  new UploadFault('unfit', 'The form is incomplete: its boundary is missing, or it breaks off.')
