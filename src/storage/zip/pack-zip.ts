import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { PackedFile } from '../../operations/upload/upload-folder.ts'

/** The earliest date that a zip can hold (APPNOTE.TXT 4.4.6), in whichever time zone: the same files make the same zip. */
const noDate = new Date(1980, 0, 1)
const mode = 0o100644

/** The files as one zip, made while it is read. */
export function packZip(files: Iterable<PackedFile>): ReadableStream<Uint8Array> {
  const zip = new ZipFile()
  for (const { path, isText, bytes } of files) {
    const options = { mtime: noDate, forceDosTimestamp: true, mode, compress: isText }
    zip.addReadStreamLazy(path, options, (done) => {
      const content = Readable.from(bytes(), { objectMode: false })
      // yazl does not look at the errors of these.
      content.on('error', (error) => zip.emit('error', error))
      done(null, content)
    })
  }
  zip.end()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  return streamOf(output)
}

/** `Readable.toWeb` of Bun 1.4.5 hangs when the source is destroyed with an error. */
function streamOf(output: Readable): ReadableStream<Uint8Array> {
  const chunks = output[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void output.destroy(),
  })
}
