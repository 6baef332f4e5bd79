import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { RefusalCount } from '../../capture/refusal-log.ts'
import type { RefusalReserve } from '../../capture/refusal-reserve.ts'

const fileName = 'not-stored.json'
const fileMode = 0o600
/** Allocated while there is room and then overwritten in place, which needs no space on a full disk. */
const fileBytes = 32 * 1024

/** Counts in a file of fixed size beside the database. A copy-on-write file system may refuse even to overwrite it. */
export class FileRefusalReserve implements RefusalReserve {
  private readonly file: string

  constructor(dataDir: string) {
    this.file = join(dataDir, fileName)
  }

  /** Allocates the file if it is missing. Call it before the first `replace`, while the disk still has room. */
  makeRoom(): void {
    if (statSync(this.file, { throwIfNoEntry: false })?.size === fileBytes) return
    try {
      const descriptor = openSync(this.file, 'w', fileMode)
      writeSync(descriptor, paddedText([]))
      closeSync(descriptor)
    } catch {
      // The disk is already full or read-only: counts then stay in memory until the process ends.
    }
  }

  async replace(counts: RefusalCount[]): Promise<void> {
    try {
      await using file = await open(this.file, 'r+')
      await file.write(paddedText(fitting(counts)), 0)
    } catch {
      // See makeRoom.
    }
  }

  counts(): RefusalCount[] {
    try {
      return JSON.parse(readFileSync(this.file, 'utf8')) as RefusalCount[]
    } catch {
      // Missing, or truncated by a power failure.
      return []
    }
  }
}

const paddedText = (counts: RefusalCount[]): Uint8Array => {
  const bytes = Buffer.alloc(fileBytes, ' ')
  bytes.write(JSON.stringify(counts))
  return bytes
}

/** Largest counts first, until the file is full. */
function fitting(counts: RefusalCount[]): RefusalCount[] {
  const largestFirst = counts.toSorted((one, other) => other.count - one.count)
  let bytes = '[]'.length
  const end = largestFirst.findIndex((count) => {
    bytes += Buffer.byteLength(JSON.stringify(count)) + ','.length
    return bytes > fileBytes
  })
  return end < 0 ? largestFirst : largestFirst.slice(0, end)
}
