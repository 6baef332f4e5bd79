import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile as ReadZip } from 'yauzl'
import { ZipFile } from 'yazl'
import {
  folderWithin,
  type PackedFile,
  UploadFault,
  uploadBytesMax,
  uploadFilesMax,
  uploadPathFault,
  zipGrowthFreeBytes,
  zipGrowthMax,
} from '../../operations/upload/upload-folder.ts'

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

/** APPNOTE.TXT 4.4.2.2: made on Unix, whose file modes are in the upper half of the external attributes. */
const madeOnUnix = 3
const fileTypeMask = 0o170000
const symbolicLink = 0o120000
const stored = 0
const deflated = 8

type Write = (path: string, chunks: AsyncIterable<Uint8Array>) => Promise<unknown>

/**
 * Unpacks the files of a zip (PKWARE APPNOTE.TXT). All its names and sizes are judged before the first byte is unpacked; sizes and
 * checksums are judged again by what comes.
 *
 * @throws UploadFault
 */
export async function unpackZip(file: string, byteCount: number, write: Write): Promise<void> {
  const paths = await withZip(file, (zip) => judged(zip, byteCount))
  const within = folderWithin(paths)
  await withZip(file, async (zip) => {
    let number = 0
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry, ++number)
      if (name.endsWith('/') || !name.startsWith(within)) continue
      const chunks = chunksOf(await zip.openReadStreamPromise(entry))
      await write(name.slice(within.length), sound(chunks, entry, number))
    }
  })
}

async function withZip<T>(file: string, work: (zip: ReadZip) => Promise<T>): Promise<T> {
  let zip: ReadZip | null = null
  try {
    zip = await openPromise(file, { autoClose: false, decodeStrings: false })
    return await work(zip)
  } catch (error) {
    if (error instanceof UploadFault || isOurs(error)) throw error
    throw new UploadFault('unfit', 'This is no zip, or it is damaged. Zip the site folder anew.')
  } finally {
    zip?.close()
  }
}

/** Faults of the box's own disk are no faults of the zip. */
const isOurs = (error: unknown): boolean => error instanceof Error && 'syscall' in error

/** The names of the files. @throws UploadFault when any entry is unfit */
async function judged(zip: ReadZip, zipBytes: number): Promise<string[]> {
  if (zip.entryCount > uploadFilesMax)
    throw new UploadFault('too_large', `The zip has more than ${uploadFilesMax} entries.`)
  const paths = new Set<string>()
  let number = 0
  let bytes = 0
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry, ++number)
    if (name.endsWith('/')) continue
    refuseUnfit(entry, number)
    const folded = name.normalize('NFC')
    if (paths.has(folded)) throw unfit(number, 'has the name of an earlier entry')
    paths.add(folded)
    bytes += entry.uncompressedSize
    refuseGrowth(bytes, zipBytes)
  }
  return [...paths]
}

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry, number: number): string {
  const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)
  const fault = uploadPathFault(name.replace(/\/$/, ''))
  if (fault !== null) throw unfit(number, fault)
  return name
}

function refuseUnfit(entry: Entry, number: number): void {
  if (entry.isEncrypted()) throw unfit(number, 'is encrypted; zip the folder without a password')
  if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated)
    throw unfit(number, 'is compressed by another method than "deflate"')
  const mode = entry.versionMadeBy >> 8 === madeOnUnix ? entry.externalFileAttributes >>> 16 : 0
  if ((mode & fileTypeMask) === symbolicLink) throw unfit(number, 'is a symbolic link; put the file itself there')
}

function refuseGrowth(bytes: number, zipBytes: number): void {
  if (bytes > uploadBytesMax) throw new UploadFault('too_large', `The zip holds more than ${uploadBytesMax} bytes.`)
  if (bytes > zipGrowthFreeBytes + zipBytes * zipGrowthMax)
    throw new UploadFault('too_large', `The zip grows to more than ${zipGrowthMax} times its size, as no site does.`)
}

/** The stream begins at once, and may fail before anybody reads it: without a listener that would end the thread. */
function chunksOf(stream: Readable): AsyncIterable<Uint8Array> {
  let failure: unknown = null
  let refuse = (_: unknown): void => {}
  stream.on('error', (error) => {
    failure = error
    refuse(error)
  })
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  // A race with one promise of failure would keep each chunk as long as that promise.
  const next = (): Promise<IteratorResult<Uint8Array>> =>
    new Promise((resolve, reject) => {
      if (failure !== null) return reject(failure)
      refuse = reject
      return void chunks.next().then(resolve, reject)
    })
  const stop = async () => {
    stream.destroy()
    return { value: undefined, done: true as const }
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: stop }) }
}

/** The unpacked bytes; throws at their end when the checksum is another. */
async function* sound(chunks: AsyncIterable<Uint8Array>, entry: Entry, number: number): AsyncGenerator<Uint8Array> {
  let sum = 0
  for await (const chunk of chunks) {
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (sum !== entry.crc32) throw unfit(number, 'is damaged: its checksum is another')
}

const unfit = (number: number, fault: string): UploadFault =>
  new UploadFault('unfit', `Entry ${number} of the zip ${fault}.`)
