import { readFileSync, type Stats, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isPrivateAddress } from '../lib/ip.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { decodeTable } from '../lib/toml/decode.ts'
import { parseToml } from '../lib/toml/parse.ts'
import { emptyTable, type Place, statedFault, type TomlFault, type TomlTable } from '../lib/toml/value.ts'
import { type Config, configOf, configSchema } from './config.ts'
import { type Environment, overlaid, unknownVariables } from './environment.ts'
import type { ListenAddress } from './values.ts'

const configBytesMax = 262_144

export interface ConfigSource {
  /** The file named by `--config`; absent: search the usual places. */
  file?: string
  env: Environment
  cwd: string
  /** The system's configuration file; overridden in tests. */
  systemFile?: string
}

export interface LoadedConfig {
  config: Config
  /** Absolute; `null`: no file was found, and the built-in defaults apply. */
  file: string | null
  /** Sentences for the operator. */
  warnings: string[]
}

/** Reads the configuration from file and environment (docs/configuration.md). Throws one error that lists every fault. */
export function loadConfig(source: ConfigSource): LoadedConfig {
  const file = configFile(source)
  const { table, variables } = overlaid(file === null ? emptyTable() : readTable(file), source.env)
  const { value, faults } = decodeTable(table, configSchema)
  if (value === null) throw unusable(faults.map((fault) => faultLine(fault, file, variables)))
  const folder = file === null ? source.cwd : dirname(file)
  const config = configOf(value, folder, (name) => ({
    folder,
    env: source.env,
    fault(key, message) {
      faults.push(statedFault(placeOf(table, name, key), message))
      return null
    },
  }))
  faults.push(...clashes(config).map(({ section, key, message }) => statedFault(placeOf(table, section, key), message)))
  if (faults.length > 0) throw unusable(faults.map((fault) => faultLine(fault, file, variables)))
  return { config, file, warnings: [...unknownVariables(source.env), ...doubts(config)] }
}

function configFile(source: ConfigSource): string | null {
  if (source.file !== undefined) return namedFile(resolve(source.cwd, source.file))
  const usual = [resolve(source.cwd, 'capture.toml'), source.systemFile ?? '/etc/capture/capture.toml']
  return usual.find((file) => statOf(file) !== null) ?? null
}

function namedFile(file: string): string {
  if (statOf(file) !== null) return file
  throw new OperatorError(`There is no configuration file ${file}. Name another with --config, or leave --config out.`)
}

/** `null`: there is no such file. Throws if the file exists but cannot be examined. */
function statOf(file: string): Stats | null {
  try {
    return statSync(file, { throwIfNoEntry: false }) ?? null
  } catch (error) {
    throw unreadable(file, messageOf(error))
  }
}

function readTable(file: string): TomlTable {
  const { table, fault } = parseToml(readText(file))
  if (table === null) throw unusable([faultLine(fault, file, new Map())])
  return table
}

function readText(file: string): string {
  const stat = statOf(file)
  if (stat?.isFile() !== true) throw unreadable(file, 'it is not a file')
  if (stat.size > configBytesMax) throw unreadable(file, `it is larger than ${configBytesMax} bytes`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (error) {
    throw unreadable(file, error instanceof TypeError ? 'it is not UTF-8 text' : messageOf(error))
  }
}

const unreadable = (file: string, reason: string): OperatorError =>
  new OperatorError(
    `The configuration file ${file} cannot be read: ${reason}. Correct it, or name another with --config.`,
  )

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The line of a key, or that of its table if the key is missing. */
function placeOf(root: TomlTable, name: string, key: string): Place {
  const section = root.entries.get(name)
  const entry = section?.value.kind === 'table' ? section.value.entries.get(key) : undefined
  return { key: `${name}.${key}`, line: (entry ?? section)?.line ?? null }
}

const unusable = (lines: string[]): OperatorError =>
  new OperatorError(['The configuration cannot be used:', ...lines.map((line) => `  ${line}`)].join('\n'))

/** `/etc/capture/capture.toml:12 server.listn: no such setting; …`, or the variable in place of the file. */
function faultLine(fault: TomlFault, file: string | null, variables: Map<string, string>): string {
  const key = fault.key ?? ''
  const variable = variables.get(key.replace(/\[.*/, ''))
  const place = variable ?? (fault.line === null ? file : `${file}:${fault.line}`)
  return `${[place, key].filter((part) => part !== null && part !== '').join(' ')}: ${fault.message}`
}

/** Warns of settings that are valid but rarely intended. */
function doubts({ server, https, operator }: Config): string[] {
  const open = server.trustedProxies
    .filter((range) => range.endsWith('/0'))
    .map((range) => `server.trusted_proxies contains ${range}: every caller can then forge its own address`)
  const closed = https.mode === 'auto' && https.httpListen === null ? [closedPort80] : []
  const watched = operator.listen === null || isOwn(operator.listen.host) ? [] : [openMonitoring]
  return [...open, ...closed, ...watched]
}

const isOwn = (host: string): boolean => host === 'localhost' || isPrivateAddress(host)

const closedPort80 =
  'https.http_listen is closed: certificates are issued only if a proxy forwards port 80 to server.listen, or DNS has a dns-persist-01 record'

const openMonitoring =
  'operator.listen is open beyond this machine and private networks: anybody who reaches it can read the handles and figures of all accounts'

/** A key that cannot have its value beside those of other keys. */
interface Clash {
  section: 'server' | 'https' | 'operator' | 'console'
  key: string
  message: string
}

/** What is wrong with keys of different tables, although each is valid. */
function clashes({ server, https, operator, console }: Config): Clash[] {
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
