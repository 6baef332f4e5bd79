import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { statedFault, type TomlFault } from '../lib/toml/fault.ts'
import { boolean, listOf, oneOf, optionalText, parsed, string, table, withDefault } from '../lib/toml/shape.ts'
import type { HttpsConfig } from './config.ts'
import { parseAddress, parseDirectory, parseEmail, parseProfile, parseResolver } from './https-values.ts'
import { parseFolder, parseListen, parseMaxAge } from './values.ts'

const addressesMax = 100
const resolversMax = 10
/** Each a few hundred bytes; a bundle of all public authorities is 200 KB. */
const caFileBytesMax = 1_048_576
const hmacFileBytesMax = 4096

/** Contract section 10. `resolvers` and `staging_directory` are our own. */
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
  addresses: withDefault(listOf(parsed(string(), parseAddress), { itemsMax: addressesMax, unique: true }), []),
  resolvers: withDefault(listOf(parsed(string(), parseResolver), { itemsMax: resolversMax, unique: true }), []),
  folder: withDefault(parsed(string(), parseFolder), './certificates'),
})

export type WrittenHttps = Static<typeof httpsSchema>

/** Where to find the files and variables that the keys name. */
export interface HttpsPlace {
  folder: string
  env: Readonly<Record<string, string | undefined>>
}

/** Checks the keys together and reads the files that they name. Mode `auto` alone reads its files. */
export function httpsOf(written: WrittenHttps, place: HttpsPlace): { value: HttpsConfig; faults: TomlFault[] } {
  const faults: TomlFault[] = []
  const fault = (key: string, message: string): null => {
    faults.push(statedFault({ key: `https.${key}`, line: null }, message))
    return null
  }
  const isAuto = written.mode === 'auto'
  const eabHmac = isAuto ? bindingKey(written, place, fault) : null
  if (isAuto) checkDirectories(written, fault)
  return {
    value: {
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
      caFile: isAuto ? trusted(written.ca_file, place, fault) : null,
      eabKid: written.eab_kid,
      eabHmac,
      profile: written.profile ?? '',
      addresses: written.addresses,
      resolvers: written.resolvers,
      folder: resolve(place.folder, written.folder),
    },
    faults,
  }
}

type Fault = (key: string, message: string) => null

function trusted(name: string | null, { folder }: HttpsPlace, fault: Fault): string | null {
  if (name === null) return null
  const text = fileText(resolve(folder, name), caFileBytesMax)
  if (typeof text !== 'string') return fault('ca_file', text.unreadable)
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  return fault('ca_file', `${resolve(folder, name)} holds no certificate in PEM ("-----BEGIN CERTIFICATE-----")`)
}

/** The one of `eab_hmac`, `eab_hmac_file` and `eab_hmac_env` that is set: base64url (RFC 8555 section 7.3.4). */
function bindingKey(written: WrittenHttps, place: HttpsPlace, fault: Fault): string | null {
  const ways = (['eab_hmac', 'eab_hmac_file', 'eab_hmac_env'] as const).filter((key) => written[key] !== null)
  const [key, second] = ways
  if (second !== undefined) return fault(second, `is set beside ${key}; leave one of them`)
  if (key === undefined && written.eab_kid === null) return null
  if (key === undefined) return fault('eab_kid', 'is set without eab_hmac, eab_hmac_file or eab_hmac_env')
  if (written.eab_kid === null) return fault(key, 'is set without eab_kid')
  const found = bindingText(key, written[key] ?? '', place)
  if (typeof found !== 'string') return fault(key, found.unreadable)
  const hmac = found.trim().replace(/=+$/, '')
  return /^[\w-]+$/.test(hmac) ? hmac : fault(key, 'is not base64url, as the authority gives such keys')
}

function bindingText(
  key: 'eab_hmac' | 'eab_hmac_file' | 'eab_hmac_env',
  value: string,
  { folder, env }: HttpsPlace,
): string | { unreadable: string } {
  if (key === 'eab_hmac') return value
  if (key === 'eab_hmac_file') return fileText(resolve(folder, value), hmacFileBytesMax)
  return env[value] || { unreadable: `the environment variable ${value} is not set` }
}

function fileText(file: string, bytesMax: number): string | { unreadable: string } {
  try {
    const bytes = readFileSync(file)
    return bytes.length > bytesMax ? { unreadable: `${file} is larger than ${bytesMax} bytes` } : bytes.toString('utf8')
  } catch (error) {
    return { unreadable: `${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` }
  }
}

/** Authorities that require an external account binding. */
const bound = ['zerossl', 'google']

function checkDirectories(written: WrittenHttps, fault: Fault): void {
  const { directory, fallback_directory: fallback, staging_directory: staging } = written
  if (fallback === directory) fault('fallback_directory', 'is the same as directory; name another authority, or none')
  if (staging === directory) fault('staging_directory', 'is the same as directory')
  const needy = bound.includes(directory) ? 'directory' : bound.includes(fallback ?? '') ? 'fallback_directory' : null
  if (needy === null || written.eab_kid !== null) return
  fault(needy, `${written[needy]} wants an external account binding: set eab_kid and eab_hmac_file to what it gave you`)
}
