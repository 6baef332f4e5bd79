import { resolve } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { camelKeys } from '../lib/camel-keys.ts'
import { readHostname } from '../lib/hostname.ts'
import { isThisMachine } from '../lib/ip.ts'
import { logLevels } from '../lib/log.ts'
import {
  boolean,
  integer,
  listOf,
  oneOf,
  optionalText,
  type Parsed,
  parsed,
  string,
  table,
  withDefault,
} from '../lib/toml/shape.ts'
import { alertsOf, alertsSchema } from './alerts.ts'
import { backupOf, backupSchema } from './backup.ts'
import { clusterOf, clusterSchema } from './cluster.ts'
import { deliveryOf, deliverySchema, mailOf, mailSchema } from './delivery.ts'
import { httpsOf, httpsSchema } from './https.ts'
import type { Section } from './secret.ts'
import { type ListenAddress, parseCidr, parseDataDir, parseListen, parsePublicUrl } from './values.ts'

/** The largest number that a limit can be set to: 2^31 - 1. */
const limitMax = 2_147_483_647
const trustedProxiesMax = 1000

/** The default. If another program uses the address, the box runs without monitoring. */
export const operatorListenByDefault: ListenAddress = { host: '127.0.0.1', port: 9180 }

/** The default. If another program uses the address, the box runs without it. */
export const consoleListenByDefault: ListenAddress = { host: '127.0.0.1', port: 8081 }

const originsMax = 100

/** `[console]` (docs/console.md). */
const consoleSchema = table({
  host: withDefault(optionalText(parsed(string(), readHostname)), null),
  listen: withDefault(optionalText(parsed(string(), parseLocalListen)), consoleListenByDefault),
  origins: withDefault(listOf(parsed(string(), parseOrigin), { itemsMax: originsMax, unique: true }), []),
})

const budget = (normal: number) => withDefault(integer({ min: 1, max: limitMax }), normal)

/** Every key of the configuration file with its default (docs/configuration.md). `config.example.toml` says the same. */
export const configSchema = table({
  data_dir: withDefault(parsed(string(), parseDataDir), './data'),
  server: table({
    /** `null`: no listener for plain HTTP. */
    listen: withDefault(optionalText(parsed(string(), parseListen)), { host: '127.0.0.1', port: 8080 }),
    public_url: withDefault(parsed(string(), parsePublicUrl), 'auto'),
    preview_host: withDefault(parsed(string(), readHostname), 'preview.localhost'),
    /** Whether every name below the preview host leads here, so that each account's previews have a host of their own. */
    preview_subdomains: withDefault(boolean(), false),
    trusted_proxies: withDefault(listOf(parsed(string(), parseCidr), { itemsMax: trustedProxiesMax }), []),
  }),
  https: httpsSchema,
  mail: mailSchema,
  delivery: deliverySchema,
  alerts: alertsSchema,
  backup: backupSchema,
  cluster: clusterSchema,
  /** Monitoring connects here: `/livez`, `/readyz`, `/metrics` (docs/monitoring.md). */
  operator: table({
    listen: withDefault(optionalText(parsed(string(), parseListen)), operatorListenByDefault),
  }),
  console: consoleSchema,
  /** The spec's rate-limit budgets, those of page views and clicks, and how much disk is kept for submissions. */
  limits: table({
    form_per_ip: budget(30),
    form_per_origin: budget(300),
    event_per_ip: budget(30),
    event_per_origin: budget(300),
    view_per_ip: budget(300),
    click_per_ip: budget(300),
    requests_per_ip: budget(10_000),
    window_seconds: budget(60),
    min_free_mb: withDefault(integer({ min: 0, max: limitMax }), 256),
    upload_mb_per_account: withDefault(integer({ min: 0, max: limitMax }), 1024),
    /** `null`: files of visitors are not looked through. */
    clamd: optionalText(
      string({ pattern: /^\//, expected: 'the path of a unix socket, such as "/run/clamav/clamd.ctl"' }),
    ),
  }),
  log: table({
    level: withDefault(oneOf(logLevels), 'info'),
    format: withDefault(oneOf(['json', 'pretty']), 'json'),
    /** Whether the lines of the audit log are logged as well. */
    audit: withDefault(boolean(), false),
  }),
})

type WrittenConfig = Static<typeof configSchema>

/** The checked configuration of one box (docs/configuration.md): the schema's keys, and what follows from several of them. */
export type Config = ReturnType<typeof configOf>

export type LogConfig = Config['log']

/** Checks keys together, and reads the files that they name. */
export function configOf(written: WrittenConfig, folder: string, section: (name: string) => Section) {
  const dataDir = resolve(folder, written.data_dir)
  return {
    dataDir,
    server: camelKeys(written.server),
    https: httpsOf(written.https, section('https')),
    mail: mailOf(written.mail, section('mail')),
    delivery: deliveryOf(written.delivery, section('delivery')),
    alerts: alertsOf(written.alerts, written.mail.host !== null, section('alerts')),
    backup: backupOf(written.backup, section('backup'), dataDir),
    /** `null`: a single box. */
    cluster: clusterOf(written.cluster, section('cluster')),
    operator: written.operator,
    console: written.console,
    limits: camelKeys(written.limits),
    log: written.log,
  }
}

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
