/** A file that appears complete or not at all. */
export interface OutFile {
  /** The path of the unfinished file, for verification. */
  temporary: string
  write(content: string | Uint8Array): Promise<void>
  /** Durably gives the file its name, replacing an earlier file. */
  finish(): Promise<void>
  /** Deletes the unfinished file. */
  discard(): Promise<void>
}

/** A hidden folder beside a file for its unfinished parts. */
export interface ScratchFolder {
  dir: string
  /** Removes it with everything in it. */
  remove(): void
}

/**
 * Writes files outside of the data folder.
 *
 * Guarantees: the box knows the leftovers of an interrupted or killed writer, and the next writer removes them.
 */
export interface OutFiles {
  /** @throws OperatorError when the file cannot be written or is inside the data folder */
  begin(file: string): Promise<OutFile>
  scratch(file: string): ScratchFolder
}
