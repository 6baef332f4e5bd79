/** `attachment` with the file's name: plain for old clients, UTF-8 for the rest (RFC 6266 section 4.3, RFC 8187). */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '_')
  const value = `attachment; filename="${plain}"`
  return plain === fileName ? value : `${value}; filename*=UTF-8''${encoded(fileName)}`
}

/** RFC 8187's attr-char allows fewer unencoded characters than encodeURIComponent. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
