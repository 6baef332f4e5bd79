import type { Static } from '@sinclair/typebox'
import { isThisMachine } from '../lib/ip.ts'
import { optionalText, type Parsed, parsed, string, table, withDefault } from '../lib/toml/shape.ts'
import { readSecret, type Section } from './secret.ts'

/** The keys of a table that names an S3 service. */
export const s3Keys = {
  /** `null`: that of the region at AWS. */
  s3_endpoint: withDefault(optionalText(parsed(string(), parseEndpoint)), null),
  s3_region: withDefault(optionalText(parsed(string(), parseRegion)), null),
  ...secretKeys('s3_access_key'),
  ...secretKeys('s3_secret_key'),
}

const s3Schema = table(s3Keys)

type WrittenS3 = Static<typeof s3Schema>

function secretKeys<N extends 's3_access_key' | 's3_secret_key'>(name: N) {
  const secret = withDefault(optionalText(string({ expected: 'a key of the S3 service', secret: true })), null)
  const place = withDefault(optionalText(string()), null)
  return { [name]: secret, [`${name}_file`]: place, [`${name}_env`]: place } as Record<N, typeof secret> &
    Record<`${N}_file` | `${N}_env`, typeof place>
}

export interface S3Config {
  /** `null`: that of the region at AWS. */
  s3Endpoint: string | null
  s3Region: string | null
  s3AccessKey: string | null
  s3SecretKey: string | null
}

/** Where no bucket is named, whose keys are then ignored. */
export const noS3: S3Config = { s3Endpoint: null, s3Region: null, s3AccessKey: null, s3SecretKey: null }

/** Checks the keys of a table that names a bucket, and reads the secrets. */
export function s3Of(written: WrittenS3, section: Section): S3Config {
  const { s3_endpoint: s3Endpoint, s3_region: s3Region } = written
  if (s3Region === null) section.fault('s3_region', 'is missing: the region of the bucket, such as "eu-central-1"')
  const s3AccessKey = s3Key('s3_access_key', written, section)
  return { s3Endpoint, s3Region, s3AccessKey, s3SecretKey: s3Key('s3_secret_key', written, section) }
}

function s3Key(name: string, written: WrittenS3, section: Section): string | null {
  const { key, text } = readSecret(name, written, section)
  if (key === null) return section.fault(name, `is missing: set it, ${name}_file or ${name}_env`)
  // Files usually end with a line break.
  return text?.trim() ?? null
}

export const isFileTarget = (url: string): boolean => url.startsWith('file:')

/** A folder or a bucket, as a URL without a slash at its end. */
export function parseTarget(text: string): Parsed<string> {
  const expected = '"file:///FOLDER" or "s3://BUCKET/PREFIX"'
  const url = URL.parse(text)
  if (url?.protocol === 's3:') {
    const isSound = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.-]+)*\/?$/.test(text) && !text.includes('/..')
    return isSound ? { value: text.replace(/\/$/, '') } : { expected }
  }
  if (url?.protocol !== 'file:' || url.host !== '' || url.search !== '' || url.hash !== '') return { expected }
  return text.startsWith('file:///') ? { value: text.replace(/^(file:\/\/\/.+)\/$/, '$1') } : { expected }
}

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
