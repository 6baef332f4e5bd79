import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * The database's file, read beside SQLite.
 *
 * Closing a file releases all of the process's locks on it (POSIX), including SQLite's own, so it stays open until the
 * last connection is closed.
 */
export class DatabaseFile {
  private descriptor: number | null = null

  constructor(private readonly path: string) {}

  /** Bytes of a database page. */
  get pageBytes(): number {
    const header = this.read(16, 2)
    const bytes = header.readUInt16BE(0)
    return bytes === 1 ? 65_536 : bytes
  }

  get byteCount(): number {
    return fstatSync(this.opened()).size
  }

  /** Page 1 is the first. Shorter than a page at the end of the file. */
  page(number: number, pageBytes: number): Buffer {
    return this.read((number - 1) * pageBytes, pageBytes)
  }

  read(from: number, byteCount: number): Buffer {
    const bytes = Buffer.allocUnsafe(byteCount)
    const read = readSync(this.opened(), bytes, 0, byteCount, from)
    return bytes.subarray(0, read)
  }

  /** Call once no connection of this process is open. */
  close(): void {
    if (this.descriptor !== null) closeSync(this.descriptor)
    this.descriptor = null
  }

  private opened(): number {
    this.descriptor ??= openSync(this.path, 'r')
    return this.descriptor
  }
}
