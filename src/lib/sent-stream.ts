interface Ending {
  /** Asked at the end: what lacks something ends as a transfer that broke off, which no reader takes for whole. */
  isWhole?: () => boolean
  /** Told why the rest cannot be read, before the transfer breaks off. */
  onFailure: (error: unknown) => void
}

/** Text in UTF-8, or bytes, as a stream that is read only as fast as its reader takes it; a reader that stops ends the iteration. */
export function sentStream(
  chunks: AsyncIterable<string | Uint8Array>,
  { isWhole = () => true, onFailure }: Ending,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next()
        if (done !== true) controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
        else if (isWhole()) controller.close()
        else controller.error()
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
