import { OperatorError } from '../../lib/operator-error.ts'

/** Bytes of a file that was written. */
export interface WrittenFile {
  /** Lower-case hex. */
  sha256: string
  byteCount: number
}

/**
 * A place of this box where a site folder comes together before it is applied. It is gone after `remove`, and what a killed
 * process left goes with the next upload.
 */
export interface UploadFolder {
  /** The site folder, absolute. */
  readonly dir: string
  /** Writes a file. @throws UploadFault when its name is unfit or taken, or when there is no room; then `remove` the folder */
  write(path: string, chunks: AsyncIterable<Uint8Array>): Promise<WrittenFile>
  /** Keeps bytes beside the folder, for `placeHeld`. */
  hold(chunks: AsyncIterable<Uint8Array>): Promise<WrittenFile>
  /** Unpacks a zip. @throws UploadFault when it is damaged, too large, or holds what no site folder has */
  unpack(chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** Puts a file there whose bytes are held, or were kept; answers whether they are. @throws UploadFault as `write` does */
  placeHeld(path: string, sha256: string): Promise<boolean>
  /** Keeps what is held for the sender's next upload, which needs not send it again. */
  keepHeld(): Promise<void>
  /** Forgets what was kept of this sender and is in this folder. Another upload of the sender may want the rest. */
  forgetPlaced(): Promise<void>
  /** The same with bytes of the asset store, whosever they are: ask first. */
  placeStored(path: string, sha256: string): Promise<boolean>
  /** Puts an empty file of this size there, which takes no room. @throws UploadFault as `write` does */
  pretend(path: string, byteCount: number): Promise<void>
  /** A later call does nothing. */
  remove(): void
}

/** A file to be packed. */
export interface PackedFile {
  path: string
  /** What compresses well. */
  isText: boolean
  bytes(): AsyncIterable<Uint8Array>
}

/** How long contents are kept of an upload that failed. */
export const sentKeptMs = 3_600_000

export interface UploadFolders {
  /** @param sender who alone may place what is kept of the upload */
  make(sender: string): Promise<UploadFolder>
  /** Whether these bytes are kept of an earlier upload of the sender. */
  isKept(sender: string, sha256: string): Promise<boolean>
  /** Erases what was kept before, and what killed uploads have left. @param at epoch milliseconds */
  eraseKeptBefore(at: number): Promise<void>
  /** Files as one zip, the same to the byte for the same files. Throws while it is read when the bytes of a file cannot be. */
  pack(files: Iterable<PackedFile>): Promise<AsyncIterable<Uint8Array>>
}

/** What reads and makes zips. */
export interface ZipTools extends Pick<UploadFolders, 'pack'> {
  /** Writes the files of a zip of so many bytes. @throws UploadFault */
  unpack(
    file: string,
    byteCount: number,
    write: (path: string, chunks: AsyncIterable<Uint8Array>) => Promise<unknown>,
  ): Promise<void>
}

/** `unfit`: the sender has to send something else; `too_large`; `no_room`: the box's disk is full. */
export type UploadFaultReason = 'unfit' | 'too_large' | 'no_room'

/** What was sent cannot become a site folder. Nothing of it is left. */
export class UploadFault extends OperatorError {
  constructor(
    readonly reason: UploadFaultReason,
    message: string,
  ) {
    super(message)
  }
}

/** Bytes of a request that brings a folder, and of the folder itself. */
export const uploadBytesMax = 4_294_967_296
/** Files of a folder: 100,000 of each kind, and some beside. */
export const uploadFilesMax = 410_000
/** Folders take room on the disk that no count of bytes shows. */
export const uploadFoldersMax = 20_000
/** Deeper than what is published, since folders hold more than that. */
const uploadDepthMax = 32
/** Real sites shrink to a fifth; what grows a hundredfold is made to fill a disk. */
export const zipGrowthMax = 100
/** However much a zip below this size grows, it cannot do harm. */
export const zipGrowthFreeBytes = 10_485_760
/** What an upload leaves free on the disk, for what visitors send. */
export const roomLeftBytes = 268_435_456
export const noRoom = 'The box’s disk has no space for this upload. Free some space and try again.'
export const manifestBytesMax = 67_108_864

const charactersMax = 1024

/**
 * What is wrong with a file's name within an uploaded folder; `null`: nothing. Such a name never leads out of the folder, on no
 * system.
 */
export function uploadPathFault(path: string): string | null {
  if (path.includes('\\')) return 'has a name with a backslash; folders are separated by "/"'
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'has an absolute name; names are relative to the folder'
  const steps = path.split('/')
  if (steps.includes('..')) return 'has a name that leads out of the folder ("..")'
  if (steps.some((step) => step === '' || step === '.')) return 'has a name with an empty part or a "."'
  if (/\p{Cc}/u.test(path)) return 'has a name with a control character'
  if (steps.length > uploadDepthMax) return `lies more than ${uploadDepthMax} folders deep`
  return path.length > charactersMax ? `has a name of more than ${charactersMax} characters` : null
}

/**
 * The folder within an upload that is the site folder: where its `site.toml` lies. Programs that zip a folder, and browsers
 * that send one, put its own name before everything.
 *
 * @returns `''`, or a name with `/` at its end
 */
export function folderWithin(paths: readonly string[]): string {
  if (paths.includes(siteToml)) return ''
  const tops = paths.filter((path) => path.endsWith(`/${siteToml}`) && path.split('/').length === 2)
  return tops.length === 1 ? (tops[0] ?? '').slice(0, -siteToml.length) : ''
}

const siteToml = 'site.toml'
