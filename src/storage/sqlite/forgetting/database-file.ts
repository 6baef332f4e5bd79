import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * The database's file, read beside SQLite.
 *
 * Closing a file releases all of the process's locks on it (POSIX), including SQLite's own, so it stays open until the
 * last connection is closed.
 */
export class DatabaseFile {
  private descriptor: number | null = null
  private bytesOfPage: number | null = null

  constructor(private readonly path: string) {}

  get pageBytes(): number {
    // 1 stands for 65,536, which two bytes cannot hold.
    this.bytesOfPage ??= this.read(16, 2).readUInt16BE(0)
    return this.bytesOfPage === 1 ? 65_536 : this.bytesOfPage
  }

  get byteCount(): number {
    return fstatSync(this.opened()).size
  }

  /** Page 1 is the first. Empty if the file is shorter. */
  page(number: number): Buffer {
    const { pageBytes } = this
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
