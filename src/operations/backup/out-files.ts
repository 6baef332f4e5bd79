/** A file that is there whole or not at all. */
export interface OutFile {
  /** Where the bytes are until it is finished: to read them back. */
  temporary: string
  write(content: string | Uint8Array): Promise<void>
  /** Gives the file its name, in place of an earlier one, for good. */
  finish(): Promise<void>
  /** Leaves no trace. */
  discard(): Promise<void>
}

/** A hidden folder beside a file, for what of it is not finished yet. */
export interface ScratchFolder {
  dir: string
  /** Removes it with everything in it. */
  remove(): void
}

/**
 * Writes files outside of the data folder.
 *
 * Guarantees: what an interrupted or killed writer leaves behind is known to the box, and the next writer removes it.
 */
export interface OutFiles {
  /** @throws OperatorError when it cannot be written, or lies in the data folder */
  begin(file: string): Promise<OutFile>
  scratch(file: string): ScratchFolder
}
