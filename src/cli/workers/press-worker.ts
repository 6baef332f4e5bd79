import { takeLowPriority } from './thread-priority.ts'

// The entry point of the thread that compresses bases and contents: it leaves the processor to whoever captures, which Bun's
// own threads would not.
declare const self: Worker

takeLowPriority()
self.onmessage = ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
  const pressed = Bun.zstdCompressSync(data)
  const bytes = new Uint8Array(pressed.buffer as ArrayBuffer, pressed.byteOffset, pressed.byteLength)
  self.postMessage(bytes, [bytes.buffer])
}
