import { isListenedOn, portHolder } from '../serve/port-holder.ts'
import { mainPid } from './machine.ts'

const httpsPorts = [80, 443]

/** Who holds the ports of HTTPS, as half a sentence; `null`: nobody but the service itself. */
export function httpsHindrance(): string | null {
  const taken = httpsPorts.filter(isListenedOn).flatMap((port) => {
    const holder = portHolder(port)
    // The service may run while its configuration is made anew.
    return holder?.pid === mainPid() ? [] : [`port ${port} was held by ${holder?.text ?? 'another program'}`]
  })
  return taken.length === 0 ? null : taken.join(' and ')
}
