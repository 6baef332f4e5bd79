import { isListenedOn, portHolder } from '../serve/port-holder.ts'
import { mainPid } from './machine.ts'

const httpsPorts = [80, 443]

/** The other programs on the HTTPS ports, as part of a sentence; `null`: none. */
export function httpsHindrance(): string | null {
  const taken = httpsPorts.filter(isListenedOn).flatMap((port) => {
    const holder = portHolder(port)
    // The service itself may be running while its configuration is recreated.
    return holder?.pid === mainPid() ? [] : [`port ${port} was held by ${holder?.text ?? 'another program'}`]
  })
  return taken.length === 0 ? null : taken.join(' and ')
}
