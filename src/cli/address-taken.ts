import { OperatorError } from '../lib/operator-error.ts'
import type { ListenAddress } from '../listener/listener.ts'

/** Somebody else listens there already. */
export class AddressTaken extends OperatorError {}

/** What the operator is told when the address cannot be listened on; what is none of the known reasons, as it came. */
export function listenFault(error: unknown, { host, port }: ListenAddress, key = '[server] listen'): unknown {
  const address = `${host}:${port}`
  switch ((error as { code?: unknown }).code) {
    case 'EADDRINUSE':
      return new AddressTaken(
        `${address} is taken: another program listens there. Stop that one, or set another ${key} in capture.toml.`,
      )
    case 'EACCES':
      return new OperatorError(
        `This user may not listen on ${address}. Set ${key} to a port from 1024 on, or let the program bind low ports: sudo setcap cap_net_bind_service=+ep ./capture`,
      )
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return new OperatorError(
        `${address} is no address of this machine. Set ${key} to one of its own; 0.0.0.0 stands for all of them.`,
      )
    default:
      return error
  }
}
