/**
 * Text as a byte stream, read only as fast as its reader takes it; a reader that stops ends the iteration.
 *
 * @param isWhole asked at the end: a text that lacks something ends as a transfer that broke off, which no reader takes for whole
 */
export function textStream(
  chunks: AsyncIterable<string>,
  isWhole: () => boolean = () => true,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done !== true) controller.enqueue(encoder.encode(value))
      else if (isWhole()) controller.close()
      else controller.error()
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
