import { newKeyText } from '../lib/id.ts'

/** The socket through which the public listeners pass requests to the console's thread. */
export interface ProxySocket {
  /** A socket in the abstract namespace (unix(7)): it has no file and disappears with the process. */
  socket: string
  /** Any program on this machine can connect; without this secret it gets no answer. */
  secret: string
}

export const newProxySocket = (): ProxySocket => ({
  socket: `\0capture-console-${newKeyText(24)}`,
  secret: newKeyText(43),
})

export const proxySecretHeader = 'x-capture-proxy'
/** What the listener knows about the client. It overwrites any values that the client sent. */
export const clientAddressHeader = 'x-capture-client'
export const schemeHeader = 'x-capture-scheme'
