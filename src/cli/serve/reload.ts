import type { Config, LogConfig } from '../../config/config.ts'
import type { LoadedConfig } from '../../config/load.ts'
import { compileTrustedProxies, type TrustedProxies } from '../../lib/forwarded-client.ts'
import type { Log } from '../../lib/log.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { RoomWatch } from './housekeeping.ts'
import type { ServiceManager } from './service-manager.ts'

/** What a running service changes in place when its configuration is read again. */
interface LiveParts {
  limits: Config['limits']
  trustedProxies: { networks: TrustedProxies['networks'] }
  logging: LogConfig
  room: Pick<RoomWatch, 'minFreeMb'>
}

interface ReloadOptions {
  config: Config
  live: LiveParts
  /** Reads file and environment as the start did. @throws OperatorError when they cannot be used */
  read: () => LoadedConfig
  manager: ServiceManager
  log: Log
}

/** Keys that take effect on reload, or that only commands read. All others are fixed until a restart. */
const isLive = (key: string): boolean => /^(?:limits\.|log\.|server\.(?:trusted_proxies|public_url)$)/.test(key)

/** Returns the handler of SIGHUP: it applies live changes and names those that need a restart. */
export function reloader({ config, live, read, manager, log }: ReloadOptions): () => void {
  let current = config
  return () => {
    manager.reloading()
    try {
      const { config: next, warnings } = read()
      for (const warning of warnings) log.warn(warning)
      const changed = changedKeys(current, next)
      take(next, live)
      current = { ...current, limits: next.limits, log: next.log, server: liveServer(current, next) }
      tell(changed, log)
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      log.error('The configuration was not taken over: the service keeps its present one.', { fault: error.message })
    } finally {
      manager.reloaded()
    }
  }
}

function take(next: Config, live: LiveParts): void {
  Object.assign(live.limits, next.limits)
  Object.assign(live.logging, next.log)
  live.trustedProxies.networks = compileTrustedProxies(next.server.trustedProxies).networks
  live.room.minFreeMb = next.limits.minFreeMb
}

const liveServer = (current: Config, { server }: Config): Config['server'] => ({
  ...current.server,
  trustedProxies: server.trustedProxies,
  publicUrl: server.publicUrl,
})

function tell(changed: string[], log: Log): void {
  const taken = changed.filter(isLive)
  const waiting = changed.filter((key) => !isLive(key))
  log.info('The configuration was read again.', { changed: taken.join(', ') || 'nothing' })
  if (waiting.length === 0) return
  log.warn('The configuration has changes that need a restart of the service; until then the old values apply.', {
    keys: waiting.join(', '),
  })
}

/** Keys that are read only with a certain mode or host. A change of that alone makes them differ too. */
const readWith: readonly [keys: RegExp, switchedBy: string][] = [
  [/^https\.(?:ca_file|eab_hmac)$/, 'https.mode'],
  [/^mail\.(?:user|password|from|ca_file)$/, 'mail.host'],
]

/** The dotted names, as the file has them, of the keys whose values differ. */
function changedKeys(before: Config, after: Config): string[] {
  const values = new Map(leaves(before))
  const changed = leaves(after).flatMap(([key, value]) => (values.get(key) === value ? [] : [key]))
  const isSwitched = (key: string): boolean =>
    readWith.some(([keys, switchedBy]) => keys.test(key) && changed.includes(switchedBy))
  return changed.filter((key) => !isSwitched(key))
}

/** Keys with their values as JSON. An address to listen on and a public URL are one value each. */
function leaves(config: Config): [string, string][] {
  return Object.entries(config).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object'
      ? Object.entries(value).map(([key, inner]) => [`${name}.${fileKey(key)}`, JSON.stringify(inner)])
      : [[snakeCase(name), JSON.stringify(value)]],
  )
}

/** `ca` holds the content of the file that `ca_file` names. */
const fileKey = (name: string): string => (name === 'ca' ? 'ca_file' : snakeCase(name))

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
