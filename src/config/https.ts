import { resolve } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { boolean, listOf, oneOf, optionalText, parsed, string, table, withDefault } from '../lib/toml/shape.ts'
import { trimmedOf } from '../lib/trimmed.ts'
import type { HttpsConfig } from './config.ts'
import { parseDirectory, parseEmail, parseProfile, parsePublicAddress, parseResolver } from './https-values.ts'
import { readSecret, type Section, trustedCertificates } from './secret.ts'
import { parseFolder, parseListen, parseMaxAge } from './values.ts'

const addressesMax = 100
const resolversMax = 10

/** `[https]` (docs/https.md). */
export const httpsSchema = table({
  mode: withDefault(oneOf(['off', 'auto', 'files']), 'off'),
  listen: withDefault(parsed(string(), parseListen), { host: '::', port: 443 }),
  http_listen: withDefault(optionalText(parsed(string(), parseListen)), { host: '::', port: 80 }),
  redirect: withDefault(boolean(), true),
  hsts: withDefault(parsed(string(), parseMaxAge), 0),
  http2: withDefault(boolean(), true),
  email: withDefault(optionalText(parsed(string(), parseEmail)), null),
  directory: withDefault(parsed(string(), parseDirectory), 'letsencrypt'),
  fallback_directory: withDefault(optionalText(parsed(string(), parseDirectory)), null),
  staging_directory: withDefault(optionalText(parsed(string(), parseDirectory)), null),
  ca_file: withDefault(optionalText(parsed(string(), parseFolder)), null),
  eab_kid: withDefault(optionalText(string()), null),
  eab_hmac: withDefault(optionalText(string({ expected: 'a key', secret: true })), null),
  eab_hmac_file: withDefault(optionalText(string()), null),
  eab_hmac_env: withDefault(optionalText(string()), null),
  profile: withDefault(optionalText(parsed(string(), parseProfile)), null),
  addresses: withDefault(listOf(parsed(string(), parsePublicAddress), { itemsMax: addressesMax, unique: true }), []),
  resolvers: withDefault(listOf(parsed(string(), parseResolver), { itemsMax: resolversMax, unique: true }), []),
  folder: withDefault(parsed(string(), parseFolder), './certificates'),
})

export type WrittenHttps = Static<typeof httpsSchema>

/** Checks the keys together and, in mode `auto`, reads the files that they name. */
export function httpsOf(written: WrittenHttps, section: Section): HttpsConfig {
  const isAuto = written.mode === 'auto'
  const eabHmac = isAuto ? bindingKey(written, section) : null
  if (isAuto) checkDirectories(written, section)
  return {
    mode: written.mode,
    listen: written.listen,
    httpListen: written.http_listen,
    redirect: written.redirect,
    hsts: written.hsts,
    http2: written.http2,
    email: written.email ?? '',
    directory: written.directory,
    fallbackDirectory: written.fallback_directory,
    stagingDirectory: written.staging_directory,
    caFile: isAuto ? trustedCertificates('ca_file', written.ca_file, section) : null,
    eabKid: written.eab_kid,
    eabHmac,
    profile: written.profile ?? '',
    addresses: written.addresses,
    resolvers: written.resolvers,
    folder: resolve(section.folder, written.folder),
  }
}

/** The key of the external account binding, base64url (RFC 8555 section 7.3.4). */
function bindingKey(written: WrittenHttps, section: Section): string | null {
  const { fault } = section
  const { key, text } = readSecret('eab_hmac', written, section)
  if (key === null)
    return written.eab_kid === null ? null : fault('eab_kid', 'is set without eab_hmac, eab_hmac_file or eab_hmac_env')
  if (written.eab_kid === null) return fault(key, 'is set without eab_kid')
  if (text === null) return null
  const hmac = trimmedOf('=', text.trim())
  return /^[\w-]+$/.test(hmac) ? hmac : fault(key, 'is not base64url, the form in which authorities issue such keys')
}

/** Authorities that require an external account binding. */
const bound = ['zerossl', 'google']

function checkDirectories(written: WrittenHttps, { fault }: Section): void {
  const { directory, fallback_directory: fallback, staging_directory: staging } = written
  if (fallback === directory) fault('fallback_directory', 'is the same as directory; name another authority, or none')
  if (staging === directory) fault('staging_directory', 'is the same as directory')
  const needy = bound.includes(directory) ? 'directory' : bound.includes(fallback ?? '') ? 'fallback_directory' : null
  if (needy === null || written.eab_kid !== null) return
  fault(
    needy,
    `${written[needy]} requires an external account binding: set eab_kid and eab_hmac_file to the values it issued to you`,
  )
}
