import { readFileSync, rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import type { WorkedEntries } from './work-mark.ts'

/** Entries among which one took too long, and in which version of the program. */
export interface SlowEntries extends WorkedEntries {
  version: string
}

/**
 * A file beside the database that says which entries took too long. The database itself cannot say so: the thread that
 * is at them holds its write lock.
 */
export class SlowMark {
  private readonly file: string

  constructor(databaseFile: string) {
    this.file = `${databaseFile}-slow`
  }

  /** `null`: none did, or the file cannot be read; then the entry is met again. */
  read(): SlowEntries | null {
    try {
      const { first, last, singlyTo, version } = JSON.parse(readFileSync(this.file, 'utf8')) as SlowEntries
      return [first, last, singlyTo].every(Number.isSafeInteger) ? { first, last, singlyTo, version } : null
    } catch {
      return null
    }
  }

  /** Resolves when it is on disk. */
  async write(entries: SlowEntries): Promise<void> {
    const made = `${this.file}.tmp`
    const file = await open(made, 'w', 0o600)
    try {
      await file.writeFile(JSON.stringify(entries))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(made, this.file)
  }

  remove(): void {
    rmSync(this.file, { force: true })
  }
}
