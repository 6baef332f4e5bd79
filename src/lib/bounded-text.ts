/**
 * The body of an answer as text; `null`: it has more bytes. No more of it is read then.
 *
 * @param decoder UTF-8 with replacement characters, if absent
 */
export async function boundedText(
  response: Response,
  bytesMax: number,
  decoder = new TextDecoder(),
): Promise<string | null> {
  let text = ''
  let byteCount = 0
  for await (const chunk of response.body ?? []) {
    byteCount += chunk.byteLength
    // Leaving the loop cancels the body.
    if (byteCount > bytesMax) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
