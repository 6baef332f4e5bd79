import { nearest } from '../lib/suggestion.ts'
import { fromText, leaves } from '../lib/toml/decode.ts'
import { emptyTable, type TomlTable, type TomlValue } from '../lib/toml/value.ts'
import { configSchema } from './config.ts'

export type Environment = Record<string, string | undefined>

/** The environment of this process. Nothing else reads it. */
export const processEnvironment = (): Environment => process.env

/** The service manager's settings for the process (sd_notify(3), sd_watchdog_enabled(3)). */
interface Supervision {
  /** The socket that listens for the service's state. */
  notifySocket: string | null
  /** The interval of watchdog notifications; `null`: no watchdog. */
  watchdogMs: number | null
}

/** Reads the settings that are meant for the process with this id. */
export function supervision(env: Environment, pid: number): Supervision {
  const microseconds = Number(env.WATCHDOG_USEC ?? '')
  const isWatched = microseconds > 0 && [undefined, '', String(pid)].includes(env.WATCHDOG_PID)
  return { notifySocket: env.NOTIFY_SOCKET || null, watchdogMs: isWatched ? microseconds / 1000 : null }
}

const prefix = 'CAPTURE_'

/** `['server', 'listen']` → `CAPTURE_SERVER_LISTEN`. */
export const environmentName = (path: string[]): string => prefix + path.join('_').toUpperCase()

interface Overlay {
  table: TomlTable
  /** The variable that a key's value was taken from, by the key's dotted path. */
  variables: Map<string, string>
}

/** Puts the environment's `CAPTURE_…` values over those of the file (docs/configuration.md). */
export function overlaid(file: TomlTable, env: Environment): Overlay {
  const variables = new Map<string, string>()
  let table = file
  for (const { path, shape } of leaves(configSchema)) {
    const name = environmentName(path)
    const text = env[name]
    if (text === undefined) continue
    table = withValue(table, path, fromText(shape, text))
    variables.set(path.join('.'), name)
  }
  return { table, variables }
}

/** Returns a copy with one value set. Leaves a value in place of a table alone, so that decoding reports it. */
function withValue(table: TomlTable, path: string[], value: TomlValue): TomlTable {
  const [name, ...rest] = path
  if (name === undefined) return table
  const entry = table.entries.get(name) ?? { value: emptyTable(), line: null }
  const entries = new Map(table.entries)
  if (rest.length === 0) entries.set(name, { value, line: null })
  else if (entry.value.kind === 'table') entries.set(name, { ...entry, value: withValue(entry.value, rest, value) })
  return { ...table, entries }
}

/** The token of `capture apply --to`, which stands for no key. */
export const tokenVariable = 'CAPTURE_TOKEN'

/** One warning for each `CAPTURE_` variable that stands for no key. */
export function unknownVariables(env: Environment): string[] {
  const known = [...leaves(configSchema).map(({ path }) => environmentName(path)), tokenVariable]
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && env[name] !== undefined && !known.includes(name))
    .sort()
    .map((name) => unknownVariable(name, known))
}

function unknownVariable(name: string, known: string[]): string {
  // Compared without the prefix, which would make every variable look near to every other.
  const meant = nearest(
    name.slice(prefix.length),
    known.map((known) => known.slice(prefix.length)),
  )
  const hint = meant === null ? 'it stands for no key of the configuration' : `did you mean ${prefix}${meant}?`
  return `unknown environment variable ${name}: ${hint}`
}
