/** Who is told how a body passes. */
export interface BodyWatch {
  /** The next piece has to come from its sender. */
  awaited(): void
  /** A piece has come; it has to be taken. Once the next one is awaited, it was. */
  passed(piece: Uint8Array): void
  /** The body has ended, or its receiver has gone. Called once. */
  ended(): void
}

/**
 * Passes a body on, piece by piece, as it is asked for. When the sender breaks off, so does the answer: the receiver never takes a
 * part for the whole.
 */
export function watchedBody(body: ReadableStream<Uint8Array>, watch: BodyWatch): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      watch.awaited()
      try {
        const { done, value } = await reader.read()
        if (!done) {
          watch.passed(value)
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
    cancel(reason: unknown) {
      watch.ended()
      // The sender may have broken off already.
      return reader.cancel(reason).catch(() => {})
    },
  }
  // The next piece is asked for only when the one before was taken.
  return new ReadableStream(source, { highWaterMark: 0 })
}
