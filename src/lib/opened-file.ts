/** The part of an opened file that reading needs; Node's `FileHandle` fits. */
export interface OpenedFile {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
  stat(): Promise<{ size: number }>
  close(): Promise<void>
}

const chunkBytes = 256 * 1024

/** Its bytes from front to back. */
export async function* chunksOf(file: OpenedFile): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; ; ) {
    const buffer = new Uint8Array(chunkBytes)
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
