import type { ListenAddress } from '../../config/values.ts'
import { addressText } from '../../config/values.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { portHolder } from './port-holder.ts'

/** Whether another process already has the port. */
export class AddressTaken extends OperatorError {}

/**
 * The error for an address that cannot be bound; unknown errors are returned unchanged.
 *
 * @param key of `capture.toml`, such as `server.listen`
 */
export function listenFault(error: unknown, listened: ListenAddress, key: string): unknown {
  const address = addressText(listened)
  switch ((error as { code?: unknown }).code) {
    case 'EADDRINUSE':
      return new AddressTaken(
        `${address} is taken: ${portHolder(listened.port)?.text ?? 'another program'} listens there. Stop that one, or set another ${key} in capture.toml.`,
      )
    case 'EACCES':
      return new OperatorError(
        `This user may not listen on ${address}. Set ${key} to a port from 1024 on, or let the program bind low ports: sudo setcap cap_net_bind_service=+ep ./capture`,
      )
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return new OperatorError(
        `${address} is not an address of this machine. Set ${key} to one that is, or to 0.0.0.0 for all of them.`,
      )
    default:
      return error
  }
}
