import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { PackedFile } from '../../operations/upload/upload-folder.ts'

/** The earliest date that a zip can hold (APPNOTE.TXT 4.4.6), in whichever time zone: the same files make the same zip. */
const noDate = new Date(1980, 0, 1)
const mode = 0o100644

/** The files as one zip, made while it is read. */
export function packZip(files: Iterable<PackedFile>): AsyncIterable<Uint8Array> {
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
  return output
}
