import type { ProxiedConnection, TcpProxy } from './tcp-proxy.ts'

/** `asked`: PostgreSQL never sees the statement; `answered`: it has carried it out, and who asked never hears. */
export type Moment = 'asked' | 'answered'

/** The end of a statement in the protocol of PostgreSQL: a message `C` with its length, and what was done. */
const completion = /C\0\0\0[\s\S](?:SELECT|INSERT|UPDATE|DELETE) /

/** Holds the connection on which a statement with this text comes next. Resolves when it does. */
export function trapped(proxy: TcpProxy, text: string, moment: Moment): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const asking = new WeakSet<ProxiedConnection>()
  proxy.watch = (bytes, from, connection) => {
    if (from === 'client' && bytes.includes(text)) asking.add(connection)
    if (!asking.has(connection)) return 'pass'
    if (moment === 'answered' && (from === 'client' || !completion.test(bytes.toString('latin1')))) return 'pass'
    proxy.watch = null
    resolve()
    return 'hold'
  }
  return promise
}
