/** A host beside the one that was asked: reached under the same scheme and port. */
export function originOf(host: string, ownOrigin: string): string {
  const { protocol, port } = new URL(ownOrigin)
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}
