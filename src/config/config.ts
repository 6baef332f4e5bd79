import type { LogLevel } from '../lib/log.ts'
import type { MailAddress } from '../lib/mail-address.ts'

export const logFormats = ['json', 'pretty'] as const
type LogFormat = (typeof logFormats)[number]

/** The checked configuration of one box (docs/configuration.md). */
export interface Config {
  /** Absolute. */
  dataDir: string
  server: ServerConfig
  https: HttpsConfig
  mail: MailConfig
  delivery: DeliveryConfig
  backup: BackupConfig
  operator: OperatorConfig
  console: ConsoleConfig
  limits: LimitsConfig
  log: LogConfig
}

interface ServerConfig {
  /** `null`: no listener for plain HTTP. */
  listen: ListenAddress | null
  publicUrl: PublicUrl
  /** Lower-case, without port. */
  previewHost: string
  /** Whether every name below the preview host leads here, so that each account's previews have a host of their own. */
  previewSubdomains: boolean
  /** CIDRs, always with a prefix length. */
  trustedProxies: string[]
}

export interface ListenAddress {
  /** An IPv4 address, an IPv6 address without brackets, or `localhost`. */
  host: string
  /** 0: any free port. */
  port: number
}

/** How printed addresses begin. `port: null`: the scheme's own. */
export type PublicUrl = 'auto' | { scheme: 'http' | 'https'; port: number | null }

export interface HttpsConfig {
  mode: 'off' | 'auto' | 'files'
  listen: ListenAddress
  /** `null`: no listener for plain HTTP beside it. */
  httpListen: ListenAddress | null
  redirect: boolean
  /** The header's max-age in seconds; 0: no header. */
  hsts: number
  http2: boolean
  /** Contact address for the authority; `''`: none. */
  email: string
  /** The short name of a known authority, or the URL of a directory. */
  directory: string
  /** Takes the orders once the first has failed for a day. */
  fallbackDirectory: string | null
  /** Receives the attempts after a failure; `null`: the authority's known staging directory, if any. */
  stagingDirectory: string | null
  /** Certificates (PEM) trusted for the directories, in addition to the system's. */
  caFile: string | null
  eabKid: string | null
  /** Base64url. A secret. */
  eabHmac: string | null
  /** `''`: the authority's choice. */
  profile: string
  /** The box's public addresses; empty: determined by a request to itself. */
  addresses: string[]
  /** DNS servers to use instead of the system's. */
  resolvers: ListenAddress[]
  /** Absolute. */
  folder: string
}

export const mailSecurities = ['starttls', 'tls', 'none'] as const

/** Where this box hands over its mail (docs/mail.md). */
export interface MailConfig {
  /** `null`: this box sends no mail, and the other keys are ignored. */
  host: string | null
  port: number
  /** `none` only for a server on this machine. */
  security: (typeof mailSecurities)[number]
  /** `null`: no authentication. */
  user: string | null
  /** A secret. */
  password: string | null
  /** Set wherever `host` is. */
  from: MailAddress | null
  /** Certificates (PEM) that are trusted for the mail server beside the system's. */
  ca: string | null
}

/** Where webhooks and chat messages may go (docs/deliveries.md). */
export interface DeliveryConfig {
  /** CIDRs, always with a prefix length, that are allowed though they are not public. */
  allowPrivate: string[]
  /** Certificates (PEM) that are trusted beside the system's. */
  ca: string | null
}

/** Backups that leave the box (docs/backup-and-restore.md). */
export interface BackupConfig {
  /** URLs of folders (`file:///…`) and S3 buckets (`s3://BUCKET/PREFIX`), without a slash at the end. */
  to: string[]
  /** Milliseconds. */
  baseEvery: number
  /** Milliseconds; 0: no increments. */
  incrementEvery: number
  /** Milliseconds. */
  keep: number
  /** Public keys of age. */
  recipients: string[]
  /** `null`: that of the region at AWS. All `s3…` are `null` without a target there. */
  s3Endpoint: string | null
  s3Region: string | null
  s3AccessKey: string | null
  /** A secret. */
  s3SecretKey: string | null
}

/** Monitoring connects here: `/livez`, `/readyz`, `/metrics` (docs/monitoring.md). */
interface OperatorConfig {
  /** `null`: closed. */
  listen: ListenAddress | null
}

/** The default. If another program uses the address, the box runs without monitoring. */
export const operatorListenByDefault: ListenAddress = { host: '127.0.0.1', port: 9180 }

/** The console and its API (docs/console.md). */
interface ConsoleConfig {
  /** Lower-case, without port; `null`: the console has no name on the public listeners. */
  host: string | null
  /** Plain HTTP for this machine alone; `null`: closed. */
  listen: ListenAddress | null
  /** Other origins that may call the API with a token. */
  origins: string[]
}

/** The default. If another program uses the address, the box runs without it. */
export const consoleListenByDefault: ListenAddress = { host: '127.0.0.1', port: 8081 }

/** The spec's rate-limit budgets ("Limits"), those of page views and clicks, and how much disk is kept for submissions. */
interface LimitsConfig {
  formPerIp: number
  formPerOrigin: number
  eventPerIp: number
  eventPerOrigin: number
  requestsPerIp: number
  viewPerIp: number
  clickPerIp: number
  windowSeconds: number
  minFreeMb: number
}

export interface LogConfig {
  level: LogLevel
  format: LogFormat
  /** Whether the lines of the audit log are logged as well. */
  audit: boolean
}

/** The largest number that a limit can be set to: 2^31 - 1. */
export const limitMax = 2_147_483_647

export const trustedProxiesMax = 1000
export const allowedRangesMax = 100

export const configBytesMax = 262_144
