import { readHostname } from '../lib/hostname.ts'
import { isThisMachine } from '../lib/ip.ts'
import { listOf, optionalText, type Parsed, parsed, string, table, withDefault } from '../lib/toml/shape.ts'
import { consoleListenByDefault, type ListenAddress } from './config.ts'
import { parseListen } from './values.ts'

const originsMax = 100

/** `[console]` (docs/console.md). */
export const consoleSchema = table({
  host: withDefault(optionalText(parsed(string(), readHostname)), null),
  listen: withDefault(optionalText(parsed(string(), parseLocalListen)), consoleListenByDefault),
  origins: withDefault(listOf(parsed(string(), parseOrigin), { itemsMax: originsMax, unique: true }), []),
})

/** Signing in over plain HTTP is safe on this machine alone; from elsewhere one comes by an SSH tunnel, or by the host. */
function parseLocalListen(text: string): Parsed<ListenAddress> {
  const listen = parseListen(text)
  if (!('value' in listen)) return listen
  return isThisMachine(listen.value.host)
    ? listen
    : {
        fault:
          'is for this machine alone, such as "127.0.0.1:8081": give the console a [console] host to reach it from elsewhere',
      }
}

/** RFC 6454 section 6.1. */
function parseOrigin(text: string): Parsed<string> {
  const url = URL.canParse(text) ? new URL(text) : null
  const isOrigin = url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.origin === text
  return isOrigin ? { value: text } : { expected: 'an origin such as "https://tools.agency.example"' }
}
