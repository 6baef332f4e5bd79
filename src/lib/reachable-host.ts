/** The address to connect to for one that is listened on: loopback if it listens on every address. */
export function reachableHost(host: string): string {
  if (host === '::') return '::1'
  return host === '0.0.0.0' ? '127.0.0.1' : host
}
