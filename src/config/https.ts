import { resolve } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { camelKeys } from '../lib/camel-keys.ts'
import { readHostname } from '../lib/hostname.ts'
import { ipVersion } from '../lib/ip.ts'
import {
  boolean,
  listOf,
  oneOf,
  optionalText,
  type Parsed,
  parsed,
  string,
  table,
  withDefault,
} from '../lib/toml/shape.ts'
import { trimmedOf } from '../lib/trimmed.ts'
import { readSecret, type Section, trustedCertificates } from './secret.ts'
import { type ListenAddress, parseFolder, parseListen, parseMaxAge, portMax } from './values.ts'

const addressesMax = 100
const resolversMax = 10

/** `[https]` (docs/https.md). */
export const httpsSchema = table({
  mode: withDefault(oneOf(['off', 'auto', 'files']), 'off'),
  listen: withDefault(parsed(string(), parseListen), { host: '::', port: 443 }),
  /** `null`: no listener for plain HTTP beside it. */
  http_listen: withDefault(optionalText(parsed(string(), parseListen)), { host: '::', port: 80 }),
  redirect: withDefault(boolean(), true),
  /** The header's max-age in seconds; 0: no header. */
  hsts: withDefault(parsed(string(), parseMaxAge), 0),
  http2: withDefault(boolean(), true),
  /** For the authority. */
  email: withDefault(optionalText(parsed(string(), parseEmail)), null),
  /** The short name of a known authority, or the URL of a directory. */
  directory: withDefault(parsed(string(), parseDirectory), 'letsencrypt'),
  /** Takes the orders once the first has failed for a day. */
  fallback_directory: withDefault(optionalText(parsed(string(), parseDirectory)), null),
  /** Gets the attempts after a failure; `null`: the authority's known staging directory, if any. */
  staging_directory: withDefault(optionalText(parsed(string(), parseDirectory)), null),
  /** Trusted for the directories, in addition to the system's certificates. */
  ca_file: withDefault(optionalText(parsed(string(), parseFolder)), null),
  eab_kid: withDefault(optionalText(string()), null),
  eab_hmac: withDefault(optionalText(string({ expected: 'a key', secret: true })), null),
  eab_hmac_file: withDefault(optionalText(string()), null),
  eab_hmac_env: withDefault(optionalText(string()), null),
  profile: withDefault(optionalText(parsed(string(), parseProfile)), null),
  /** The box's public addresses; empty: determined by a request to itself. */
  addresses: withDefault(listOf(parsed(string(), parsePublicAddress), { itemsMax: addressesMax, unique: true }), []),
  /** DNS servers to use instead of the system's. */
  resolvers: withDefault(listOf(parsed(string(), parseResolver), { itemsMax: resolversMax, unique: true }), []),
  folder: withDefault(parsed(string(), parseFolder), './certificates'),
})

type WrittenHttps = Static<typeof httpsSchema>

export type HttpsConfig = ReturnType<typeof httpsOf>

/** Checks the keys together and, in mode `auto`, reads the files that they name. */
export function httpsOf(written: WrittenHttps, section: Section) {
  const { eab_hmac_file: _file, eab_hmac_env: _env, ...keys } = written
  const isAuto = written.mode === 'auto'
  const eabHmac = isAuto ? bindingKey(written, section) : null
  if (isAuto) checkDirectories(written, section)
  return {
    ...camelKeys(keys),
    email: written.email ?? '',
    /** PEM. */
    caFile: isAuto ? trustedCertificates('ca_file', written.ca_file, section) : null,
    eabHmac,
    profile: written.profile ?? '',
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

const knownDirectoryNames = ['letsencrypt', 'letsencrypt-staging', 'zerossl', 'google'] as const

/** A known name, or the https URL of an ACME directory (RFC 8555 section 7.1.1). */
function parseDirectory(text: string): Parsed<string> {
  if ((knownDirectoryNames as readonly string[]).includes(text)) return { value: text }
  const url = URL.parse(text)
  if (url?.protocol === 'http:') return { fault: 'must be an https URL: anybody could forge an answer over plain HTTP' }
  return url?.protocol === 'https:' && url.username === '' ? { value: url.href } : { expected: directoryExpected }
}

export function parseEmail(text: string): Parsed<string> {
  return /^[^\s@,:;<>()"]+@[^\s@,:;<>()"]+$/.test(text)
    ? { value: text }
    : { expected: 'one email address such as "ops@acme.example"' }
}

function parseProfile(text: string): Parsed<string> {
  return /^[\w.-]{1,64}$/.test(text) ? { value: text } : { expected: 'the name of a profile such as "shortlived"' }
}

/** A public address of this box. */
function parsePublicAddress(text: string): Parsed<string> {
  const expected = 'an IP address such as "203.0.113.7" or "2001:db8::7"'
  return ipVersion(text) === null || text.includes('%') ? { expected } : { value: text.toLowerCase() }
}

/** `9.9.9.9`, `[2620:fe::fe]:53`, `dns.example:5353`. */
function parseResolver(text: string): Parsed<ListenAddress> {
  const expected = 'a DNS server such as "9.9.9.9", "[2620:fe::fe]:53" or "127.0.0.1:5353"'
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text)
  const host = ipVersion(text) === 6 ? text : (match?.[1] ?? match?.[2] ?? '')
  const port = Number(match?.[3] ?? dnsPort)
  if (port < 1 || port > portMax || host.includes('%')) return { expected }
  if (ipVersion(host) !== null)
    return match?.[1] !== undefined && ipVersion(host) === 4 ? { expected } : { value: { host, port } }
  const reading = readHostname(host)
  return match?.[2] !== undefined && 'value' in reading ? { value: { host: reading.value, port } } : { expected }
}

const dnsPort = 53
const directoryExpected = `${knownDirectoryNames.map((name) => `"${name}"`).join(', ')}, or the https URL of an ACME directory`
