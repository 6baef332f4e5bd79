// Bun's streams have `text()`; the DOM's types, which tests of pages need, do not say so.
interface ReadableStream {
  text(): Promise<string>
}
