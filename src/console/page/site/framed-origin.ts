/**
 * The origin of previews, if a page of the console can show them in frames. `null`: the browser would block them as mixed
 * content, or the name leads to another machine than the box.
 *
 * @param previewBase the start of preview addresses
 * @param consoleOrigin the console's origin in the browser
 */
export function framedOrigin(previewBase: string, consoleOrigin: string): string | null {
  const [preview, console] = [new URL(previewBase), new URL(consoleOrigin)]
  if (console.protocol === 'https:' && preview.protocol !== 'https:') return null
  if (isOfThisMachine(preview.hostname) && !isOfThisMachine(console.hostname)) return null
  return preview.origin
}

/** RFC 6761 section 6.3. */
const isOfThisMachine = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1' || host === '[::1]'
