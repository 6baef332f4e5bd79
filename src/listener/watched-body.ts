/** Who is told how a body passes. */
export interface BodyWatch {
  /** The next piece has to come from its sender. */
  awaited(): void
  /** A piece of so many bytes has come; it has to be taken. */
  passed(bytes: number): void
  /** The body has ended, or its receiver has gone. Called once. */
  ended(): void
}

/**
 * Passes a body on, piece by piece, as it is asked for. When the sender breaks off, so does the answer: the receiver never takes a
 * part for the whole.
 */
export function watchedBody(body: ReadableStream<Uint8Array>, watch: BodyWatch): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      watch.awaited()
      try {
        const { done, value } = await reader.read()
        if (!done) {
          watch.passed(value.byteLength)
          return controller.enqueue(value)
        }
        watch.ended()
        controller.close()
      } catch {
        watch.ended()
        // Bun prints a reason on stderr, whoever handles it; without one it breaks the connection in silence.
        controller.error(undefined)
      }
    },
    cancel(reason) {
      watch.ended()
      // The sender may have broken off already.
      return reader.cancel(reason).catch(() => {})
    },
  })
}
