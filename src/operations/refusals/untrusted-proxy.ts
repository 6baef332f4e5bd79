import type { Config } from '../../config/config.ts'
import { compileTrustedProxies, isTrustedProxy } from '../../lib/forwarded-client.ts'
import type { Box } from '../box.ts'
import type { UntrustedProxy } from './proxy-note.ts'

/** The server's note, unless the proxy is trusted by now. */
export async function untrustedProxy({
  config,
  proxyNote,
}: Pick<Box, 'config' | 'proxyNote'>): Promise<UntrustedProxy | null> {
  const note = await proxyNote()
  const { trustedProxies } = config.server
  return note !== null && isTrustedProxy(note.peer, compileTrustedProxies(trustedProxies)) ? null : note
}

export const untrustedProxyFound = ({ peer, seenAt }: UntrustedProxy): string =>
  `A proxy at ${peer} forwards visitors but is not trusted (seen ${seenAt}): all visitors share one budget.`

/** The configuration line that adds the proxy to the trusted ones. */
export const untrustedProxyAdvice = ({ peer }: UntrustedProxy, { server }: Config): string =>
  `If it is yours, set in capture.toml: [server] trusted_proxies = ${JSON.stringify([...server.trustedProxies, peer])}, and restart the server, or send it SIGHUP.`
