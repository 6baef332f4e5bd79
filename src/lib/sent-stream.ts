interface Ending {
  /** Told why the rest cannot be read, before the transfer breaks off. */
  onFailure: (error: unknown) => void
}

/** Text in UTF-8, or bytes, as a stream that is read only as fast as its reader takes it; a reader that stops ends the iteration. */
export function sentStream(
  chunks: AsyncIterable<string | Uint8Array>,
  { onFailure }: Ending,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next()
        if (done !== true) controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
        else controller.close()
      } catch (error) {
        onFailure(error)
        // Bun prints a reason on stderr, whoever handles it; without one it breaks the connection in silence.
        controller.error()
      }
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
