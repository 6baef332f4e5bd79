import { consoleListenByDefault, type ListenAddress } from '../../config/config.ts'
import type { Log } from '../../lib/log.ts'
import { type ConsoleListener, startConsoleListener } from '../../listener/console-listener.ts'
import { AddressTaken } from './address-taken.ts'
import { bound } from './bound.ts'
import type { ListenerStart } from './listener-start.ts'

/** Opens `[console] listen`, unless it is closed. @throws OperatorError when it cannot be had */
export function openLocalConsole({ basics, config, shared }: Omit<ListenerStart, 'hosts'>): ConsoleListener | null {
  const { gate, log } = basics
  const { listen } = config.console
  if (listen === null) return null
  try {
    const binding = { address: listen, key: '[console] listen', shared: shared.console }
    const listener = bound(binding, (address) => startConsoleListener(gate, address))
    log.info('Listening for the console.', { host: listen.host, port: listener.port })
    return listener
  } catch (error) {
    return withoutDefault(error, listen, log)
  }
}

/** Several boxes on one machine must not need a word of configuration for this; an address of the operator's own choice is meant. */
function withoutDefault(fault: unknown, { host, port }: ListenAddress, log: Log): null {
  const isDefault = host === consoleListenByDefault.host && port === consoleListenByDefault.port
  if (!isDefault || !(fault instanceof AddressTaken)) throw fault
  log.info(
    `The console is not served on this machine's own address: another program listens on ${host}:${port}. Set [console] listen in capture.toml to another one to open it there.`,
  )
  return null
}
