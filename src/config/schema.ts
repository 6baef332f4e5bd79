import type { Static } from '@sinclair/typebox'
import { readHostname } from '../lib/hostname.ts'
import { logLevels } from '../lib/log.ts'
import { boolean, integer, listOf, oneOf, optionalText, parsed, string, table, withDefault } from '../lib/toml/shape.ts'
import { backupSchema } from './backup.ts'
import { limitMax, logFormats, operatorListenByDefault, trustedProxiesMax } from './config.ts'
import { consoleSchema } from './console.ts'
import { deliverySchema } from './delivery.ts'
import { httpsSchema } from './https.ts'
import { mailSchema } from './mail.ts'
import { parseCidr, parseDataDir, parseListen, parsePublicUrl } from './values.ts'

const budget = (normal: number) => withDefault(integer({ min: 1, max: limitMax }), normal)

/** Every key of the configuration file with its default (docs/configuration.md). `config.example.toml` says the same. */
export const configSchema = table({
  data_dir: withDefault(parsed(string(), parseDataDir), './data'),
  server: table({
    listen: withDefault(optionalText(parsed(string(), parseListen)), { host: '127.0.0.1', port: 8080 }),
    public_url: withDefault(parsed(string(), parsePublicUrl), 'auto'),
    preview_host: withDefault(parsed(string(), readHostname), 'preview.localhost'),
    preview_subdomains: withDefault(boolean(), false),
    trusted_proxies: withDefault(listOf(parsed(string(), parseCidr), { itemsMax: trustedProxiesMax }), []),
  }),
  https: httpsSchema,
  mail: mailSchema,
  delivery: deliverySchema,
  backup: backupSchema,
  operator: table({
    listen: withDefault(optionalText(parsed(string(), parseListen)), operatorListenByDefault),
  }),
  console: consoleSchema,
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
  }),
  log: table({
    level: withDefault(oneOf(logLevels), 'info'),
    format: withDefault(oneOf(logFormats), 'json'),
    audit: withDefault(boolean(), false),
  }),
})

export type WrittenConfig = Static<typeof configSchema>
