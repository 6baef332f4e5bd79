/** The part of an opened file that reading needs; Node's `FileHandle` fits. */
export interface OpenedFile {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
  stat(): Promise<{ size: number }>
  close(): Promise<void>
}
