import type { Config, ListenAddress } from './config.ts'

/** A key that cannot have its value beside those of other keys. */
interface Clash {
  section: 'server' | 'https' | 'operator' | 'console'
  key: string
  message: string
}

/** What is wrong with keys of different tables, although each is valid. */
export function clashes({ server, https, operator, console }: Config): Clash[] {
  const found = sharedAddresses([
    { section: 'server', key: 'listen', address: server.listen },
    { section: 'https', key: 'listen', address: https.mode === 'off' ? null : https.listen },
    { section: 'https', key: 'http_listen', address: https.mode === 'off' ? null : https.httpListen },
    { section: 'operator', key: 'listen', address: operator.listen },
    { section: 'console', key: 'listen', address: console.listen },
  ])
  if (server.listen === null && https.mode === 'off')
    found.push({ section: 'server', key: 'listen', message: 'is "" and https.mode is "off": nothing would listen' })
  if (console.host === server.previewHost)
    found.push({ section: 'console', key: 'host', message: 'is the name of server.preview_host; set another' })
  else if (console.host !== null && server.previewSubdomains && console.host.endsWith(`.${server.previewHost}`))
    found.push({
      section: 'console',
      key: 'host',
      message: 'is below server.preview_host, where previews are; set another',
    })
  return found
}

interface Listener extends Pick<Clash, 'section' | 'key'> {
  /** `null`: closed. */
  address: ListenAddress | null
}

function sharedAddresses(listeners: Listener[]): Clash[] {
  return listeners.flatMap(({ section, key, address }, i) => {
    const first = listeners.slice(0, i).find((earlier) => isOneAddress(earlier.address, address))
    return first === undefined
      ? []
      : [{ section, key, message: `is the address of ${first.section}.${first.key}; set another` }]
  })
}

/** Port 0 picks a different port each time. */
const isOneAddress = (one: ListenAddress | null, other: ListenAddress | null): boolean =>
  one !== null && other !== null && one.port !== 0 && one.port === other.port && one.host === other.host
