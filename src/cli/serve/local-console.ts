import { consoleListenByDefault } from '../../config/config.ts'
import { type ConsoleListener, startConsoleListener } from '../../listener/console-listener.ts'
import { boundUnlessTaken } from './bound.ts'
import type { ListenerStart } from './listener-start.ts'

/** Opens `[console] listen`, unless it is closed. @throws OperatorError when it cannot be had */
export function openLocalConsole({
  basics,
  config,
  shared,
}: Omit<ListenerStart, 'hosts' | 'stalled'>): ConsoleListener | null {
  const { gate, log } = basics
  const { listen } = config.console
  if (listen === null) return null
  const { console: port } = shared
  const binding = { address: listen, key: '[console] listen', shared: port, byDefault: consoleListenByDefault }
  const listener = boundUnlessTaken(binding, (address) => startConsoleListener(gate, address))
  if (listener !== null) log.info('Listening for the console.', { host: listen.host, port: listener.port })
  else
    log.info(
      `The console is not served on this machine's own address: another program listens on ${listen.host}:${listen.port}. Set [console] listen in capture.toml to another one to open it there.`,
    )
  return listener
}
