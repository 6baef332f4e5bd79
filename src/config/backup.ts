import { isAbsolute, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Static } from '@sinclair/typebox'
import { parseAge } from '../lib/age.ts'
import { isBech32 } from '../lib/bech32.ts'
import { isThisMachine } from '../lib/ip.ts'
import { listOf, optionalText, type Parsed, parsed, string, table, withDefault } from '../lib/toml/shape.ts'
import { readSecret, type Section } from './secret.ts'

const targetsMax = 4
const recipientsMax = 20
const dayMs = 86_400_000

/** `[backup]` (docs/backup-and-restore.md). */
export const backupSchema = table({
  to: withDefault(listOf(parsed(string(), parseTarget), { itemsMax: targetsMax, unique: true }), []),
  /** This and the next two in milliseconds. */
  base_every: withDefault(parsed(string(), parseLength), dayMs),
  /** 0: no increments. */
  increment_every: withDefault(parsed(string(), parseLengthOrNone), 10_000),
  keep: withDefault(parsed(string(), parseLength), 30 * dayMs),
  recipients: withDefault(listOf(parsed(string(), parseRecipient), { itemsMax: recipientsMax, unique: true }), []),
  /** `null`: that of the region at AWS. */
  s3_endpoint: withDefault(optionalText(parsed(string(), parseEndpoint)), null),
  s3_region: withDefault(optionalText(parsed(string(), parseRegion)), null),
  ...secretKeys('s3_access_key'),
  ...secretKeys('s3_secret_key'),
})

function secretKeys<N extends 's3_access_key' | 's3_secret_key'>(name: N) {
  const secret = withDefault(optionalText(string({ expected: 'a key of the S3 service', secret: true })), null)
  const place = withDefault(optionalText(string()), null)
  return { [name]: secret, [`${name}_file`]: place, [`${name}_env`]: place } as Record<N, typeof secret> &
    Record<`${N}_file` | `${N}_env`, typeof place>
}

export type BackupConfig = ReturnType<typeof backupOf>

type WrittenKeys = Static<typeof backupSchema>

/** Checks the keys together and reads the secrets. Those of S3 are ignored without a target there. */
export function backupOf(written: WrittenKeys, section: Section, dataDir: string) {
  const { fault } = section
  const { to, recipients, s3_endpoint: s3Endpoint, s3_region: s3Region } = written
  const inside = to.find((url) => isFileTarget(url) && isWithin(dataDir, fileURLToPath(url)))
  if (inside !== undefined) fault('to', `${inside} is inside data_dir, and would be lost with it`)
  const value = {
    to,
    baseEvery: written.base_every,
    incrementEvery: written.increment_every,
    keep: written.keep,
    recipients,
  }
  const remote = to.find((url) => !isFileTarget(url))
  if (remote === undefined) return { ...value, s3Endpoint: null, s3Region: null, s3AccessKey: null, s3SecretKey: null }
  if (recipients.length === 0)
    fault('recipients', `is empty, and nothing goes to ${remote} in the clear; \`capture backup key\` makes a key`)
  if (s3Region === null) fault('s3_region', 'is missing: the region of the bucket, such as "eu-central-1"')
  const s3AccessKey = s3Key('s3_access_key', written, section)
  return { ...value, s3Endpoint, s3Region, s3AccessKey, s3SecretKey: s3Key('s3_secret_key', written, section) }
}

const isFileTarget = (url: string): boolean => url.startsWith('file:')

function isWithin(folder: string, path: string): boolean {
  const way = relative(resolve(folder), resolve(path))
  return way === '' || !(way.startsWith('..') || isAbsolute(way))
}

function s3Key(name: string, written: WrittenKeys, section: Section): string | null {
  const { key, text } = readSecret(name, written, section)
  if (key === null) return section.fault(name, `is missing: set it, ${name}_file or ${name}_env`)
  // Files usually end with a line break.
  return text?.trim() ?? null
}

function parseTarget(text: string): Parsed<string> {
  const expected = '"file:///FOLDER" or "s3://BUCKET/PREFIX"'
  const url = URL.parse(text)
  if (url?.protocol === 's3:') {
    const isSound = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.-]+)*\/?$/.test(text) && !text.includes('/..')
    return isSound ? { value: text.replace(/\/$/, '') } : { expected }
  }
  if (url?.protocol !== 'file:' || url.host !== '' || url.search !== '' || url.hash !== '') return { expected }
  return text.startsWith('file:///') ? { value: text.replace(/^(file:\/\/\/.+)\/$/, '$1') } : { expected }
}

function parseLength(text: string): Parsed<number> {
  const ms = parseAge(text)
  return ms === null ? { expected: 'a length of time such as "24h" or "30d"' } : { value: ms }
}

function parseLengthOrNone(text: string): Parsed<number> {
  return text === '0' ? { value: 0 } : parseLength(text)
}

function parseRecipient(text: string): Parsed<string> {
  if (/^AGE-SECRET-KEY-/i.test(text))
    return { fault: 'is an identity, which must not be on this box: write the public key that belongs to it, "age1…"' }
  const expected = 'a public key of age such as "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kudsk2l4s5n88u6"'
  if (/^age1pq1/.test(text)) return isBech32(text, 'age1pq') ? { value: text } : { expected }
  return text.length === x25519RecipientLength && isBech32(text, 'age') ? { value: text } : { expected }
}

/** 32 bytes in Bech32. */
const x25519RecipientLength = 62

function parseEndpoint(text: string): Parsed<string> {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.username !== '')
    return { expected: 'the address of an S3 service such as "https://s3.eu-central-1.amazonaws.com"' }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol === 'http:' && !isThisMachine(host))
    return { fault: 'must begin with https: http is for this machine alone' }
  return { value: url.origin }
}

function parseRegion(text: string): Parsed<string> {
  return /^[a-z0-9-]{1,64}$/i.test(text) ? { value: text } : { expected: 'a region such as "eu-central-1"' }
}
