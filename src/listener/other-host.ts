/** The origin of another host of this box, under the request's scheme and port. */
export function originOf(host: string, ownOrigin: string): string {
  const { protocol, port } = new URL(ownOrigin)
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}
