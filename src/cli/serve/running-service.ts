import type { Config, LogConfig } from '../../config/config.ts'
import type { LoadedConfig } from '../../config/load.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { compileTrustedProxies, type TrustedProxies } from '../../lib/forwarded-client.ts'
import type { Log, LogOptions } from '../../lib/log.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { CapturingBox } from '../open.ts'
import type { Session } from '../session.ts'
import type { RoomWatch } from './housekeeping.ts'
import type { ServiceManager } from './service-manager.ts'

export interface ServeHooks {
  readConfig: () => LoadedConfig
  /** Whether another process may take over from this one; absent: it cannot be requested. */
  handsOver?: boolean
  /** Wraps the ledger, to observe captured records. */
  ledger?: (ledger: Ledger) => Ledger
  /** A connected domain that also serves the test page (docs/decisions/0013). */
  testPageDomain?: string
  /** Told once the ports are bound. */
  onListening?: (box: CapturingBox, log: Log) => Promise<void> | void
}

/** The state of a service's process, which outlives its openings of the data folder. */
export interface RunningService {
  config: Config
  session: Session
  hooks: ServeHooks
  log: Log
  logging: LogOptions & LogConfig
  hangups: Hangups
  manager: ServiceManager
  /** The purposes of threads that are not started again (`ThreadSurroundings`). */
  stalled: Set<string>
  /** Resolves with the first stop signal. Before its first use, such a signal ends the process. */
  stopped: () => Promise<StopSignal>
}

export type StopSignal = 'SIGTERM' | 'SIGINT'

/**
 * Resolves with the first stop signal. A second Ctrl-C ends the process at once; a second SIGTERM is ignored, because supervisors and
 * wrappers may forward it twice and the stop is bounded anyway.
 */
export function stopSignal(): Promise<StopSignal> {
  const { promise, resolve } = Promise.withResolvers<StopSignal>()
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping && signal === 'SIGINT') process.exit(1)
      stopping = true
      resolve(signal)
    })
  }
  return promise
}

/** Handles SIGHUP, which never ends the service: the service outlives its terminal. */
interface Hangups {
  /** Sets the work for each signal. An earlier signal triggers it at once. */
  answerWith(work: () => void): void
}

export function outliveTerminal(): Hangups {
  let work: (() => void) | null = null
  let isWaiting = false
  process.on('SIGHUP', () => {
    if (work === null) isWaiting = true
    else work()
  })
  return {
    answerWith(reload) {
      work = reload
      if (isWaiting) reload()
    },
  }
}

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
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([key, inner]) => [`${name}.${fileKey(key)}`, JSON.stringify(inner)])
      : [[snakeCase(name), JSON.stringify(value)]],
  )
}

/** `ca` and `secret` hold the content of the files that `ca_file` and `secret_file` name. */
const fileKey = (name: string): string => (name === 'ca' || name === 'secret' ? `${name}_file` : snakeCase(name))

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
