import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { RefusalCount } from '../../capture/refusal-log.ts'
import type { RefusalReserve } from '../../capture/refusal-reserve.ts'

const fileName = 'not-stored.json'
const fileMode = 0o600
/** Written whole while there is room, and in place ever after: overwriting asks a full disk for nothing. */
const fileBytes = 32 * 1024

/** Counts in a file of a fixed size beside the database. On a file system that copies on write it may find no room either. */
export class FileRefusalReserve implements RefusalReserve {
  private readonly file: string

  constructor(dataDir: string) {
    this.file = join(dataDir, fileName)
  }

  /** Takes its place on the disk, if it has none yet: to be called by whoever will hold something. */
  makeRoom(): void {
    if (statSync(this.file, { throwIfNoEntry: false })?.size === fileBytes) return
    try {
      const descriptor = openSync(this.file, 'w', fileMode)
      writeSync(descriptor, paddedText([]))
      closeSync(descriptor)
    } catch {
      // The disk is full already, or read-only: what is not stored is counted in memory then, as long as the process lives.
    }
  }

  async hold(counts: RefusalCount[]): Promise<void> {
    try {
      await using file = await open(this.file, 'r+')
      await file.write(paddedText(fitting(counts)), 0)
    } catch {
      // See makeRoom.
    }
  }

  held(): RefusalCount[] {
    try {
      return JSON.parse(readFileSync(this.file, 'utf8')) as RefusalCount[]
    } catch {
      // Not there, or cut off by a power failure.
      return []
    }
  }
}

const paddedText = (counts: RefusalCount[]): Uint8Array => {
  const bytes = Buffer.alloc(fileBytes, ' ')
  bytes.write(JSON.stringify(counts))
  return bytes
}

/** The largest first, until the file is full. */
function fitting(counts: RefusalCount[]): RefusalCount[] {
  const largestFirst = counts.toSorted((one, other) => other.count - one.count)
  let bytes = '[]'.length
  const end = largestFirst.findIndex((count) => {
    bytes += Buffer.byteLength(JSON.stringify(count)) + ','.length
    return bytes > fileBytes
  })
  return end < 0 ? largestFirst : largestFirst.slice(0, end)
}
