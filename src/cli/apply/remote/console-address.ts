import { isOwnHostname } from '../../../lib/hostname.ts'
import { usageError } from '../../command.ts'

/**
 * Where the API of a console answers. @param text `https://console.agency.example`; plain `http` on this machine alone, since the
 * token goes along
 */
export function apiAddress(text: string): string {
  const url = URL.parse(text)
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (
    url !== null &&
    isPlain &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isOwnHostname(url.hostname)))
  )
    return `${url.origin}/api/v1`
  throw usageError(
    '--to takes the address of a console: https://console.agency.example, or http://localhost:8081 on this machine. Over plain HTTP the token could be read on the way.',
  )
}
