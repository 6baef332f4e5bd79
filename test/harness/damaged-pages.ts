import { Database } from 'bun:sqlite'
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'

type PageKind = 'leaf' | 'internal' | 'overflow'

const pageBytes = 4096

/** The pages of a database file by what they hold, to be damaged as a disk would. */
export class DatabasePages {
  constructor(private readonly file: string) {}

  /** Numbers of the pages of that kind of a table or an index, in its order. */
  of(name: string, kind: PageKind): number[] {
    using database = new Database(this.file)
    database.run('PRAGMA wal_checkpoint(TRUNCATE)')
    return database
      .query<{ pageno: number }, [string, string]>(
        'SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY path',
      )
      .all(name, kind)
      .map(({ pageno }) => pageno)
  }

  /** Overwrites the pages with bytes that no page has, different ones for each. */
  fillWithGarbage(...numbers: number[]): void {
    for (const number of numbers) {
      const garbage = Uint8Array.from({ length: pageBytes }, (_, at) => (at * 31 + number * 17 + 199) % 251)
      this.writeAt((number - 1) * pageBytes, garbage)
    }
  }

  /** Overwrites the pages with zeros, as some disks answer for what they have lost. */
  fillWithZeros(...numbers: number[]): void {
    for (const number of numbers) this.writeAt((number - 1) * pageBytes, new Uint8Array(pageBytes))
  }

  /** Puts one page in the place of another, as a disk that writes to the wrong place does. */
  copy(from: number, to: number): void {
    const page = new Uint8Array(pageBytes)
    const descriptor = openSync(this.file, 'r')
    readSync(descriptor, page, 0, pageBytes, (from - 1) * pageBytes)
    closeSync(descriptor)
    this.writeAt((to - 1) * pageBytes, page)
  }

  /** Changes the first place where the text lies in the file to another text of its length. */
  replaceText(text: string, replacement: string): void {
    if (Buffer.byteLength(text) !== Buffer.byteLength(replacement)) throw new Error('the texts differ in length')
    const at = readFileSync(this.file).indexOf(text)
    if (at === -1) throw new Error(`"${text}" is not in the file`)
    this.writeAt(at, Buffer.from(replacement))
  }

  private writeAt(position: number, bytes: Uint8Array): void {
    const descriptor = openSync(this.file, 'r+')
    writeSync(descriptor, bytes, 0, bytes.length, position)
    closeSync(descriptor)
  }
}
