import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { boolean, oneOf, optionalText, parsed, string, table, withDefault } from '../lib/toml/shape.ts'
import { isFileTarget, noS3, parseTarget, s3Keys, s3Of } from './s3.ts'
import { readSecret, type Section, trustedCertificates } from './secret.ts'
import { type ListenAddress, parseListen } from './values.ts'

const place = withDefault(optionalText(string()), null)

/** `[cluster]` (docs/cluster.md). Without a URL, this box is a single one. */
export const clusterSchema = table({
  url: withDefault(optionalText(string({ expected: 'the URL of a PostgreSQL database', secret: true })), null),
  url_file: place,
  url_env: place,
  ca_file: place,
  node: withDefault(optionalText(string({ pattern: /^[a-z0-9-]{1,40}$/, expected: 'a name such as "a"' })), null),
  listen: withDefault(optionalText(parsed(string(), parseListen)), null),
  secret_file: place,
  store: withDefault(optionalText(parsed(string(), parseTarget)), null),
  ...s3Keys,
  lead: withDefault(boolean(), true),
  when_away: withDefault(oneOf(['keep', 'refuse']), 'keep'),
  budgets: withDefault(optionalText(string({ expected: 'the URL of a Valkey or Redis server', secret: true })), null),
  budgets_file: place,
  budgets_env: place,
})

/** A node's part of the configuration. */
export type ClusterConfig = NonNullable<ReturnType<typeof clusterOf>>

/** Checks the keys together and reads the files that they name. `null`: a single box, whose other keys are ignored. */
export function clusterOf(written: Static<typeof clusterSchema>, section: Section) {
  const url = urlIn('url', written, section)
  if (url === null) return null
  const { node, listen, store } = written
  const s3 = store === null || isFileTarget(store) ? noS3 : s3Of(written, section)
  return {
    url,
    ca: trustedCertificates('ca_file', written.ca_file, section),
    node: node ?? missing('node', 'the name of this node, such as "a"', section),
    listen: addressOf(listen, section),
    secret: secretOf(written.secret_file, section),
    store: store ?? missing('store', 'where all nodes keep what they share, such as "s3://bucket/prefix"', section),
    ...s3,
    lead: written.lead,
    whenAway: written.when_away,
    /** `null`: there is no server for budgets. */
    budgets: urlIn('budgets', written, section),
  }
}

function missing(key: string, what: string, { fault }: Section): string {
  fault(key, `is missing: ${what}`)
  return ''
}

/** Others are told it, so `0.0.0.0` would lead each of them to itself. */
function addressOf(listen: ListenAddress | null, { fault }: Section): ListenAddress {
  const example = 'where other nodes reach this one, such as "10.0.0.1:7443"'
  if (listen === null) fault('listen', `is missing: ${example}`)
  else if (listen.port === 0 || /^[0.:]+$/.test(listen.host)) fault('listen', `must say ${example}`)
  return listen ?? { host: 'localhost', port: 0 }
}

const schemes = {
  url: { pattern: /^postgres(?:ql)?:\/\//, words: 'postgres://' },
  budgets: { pattern: /^rediss?:\/\//, words: 'redis:// or rediss://' },
}

/** `null`: it is not set; empty: a fault was reported, which never says what is written there, since it has a password. */
function urlIn(name: keyof typeof schemes, written: Static<typeof clusterSchema>, section: Section): string | null {
  const { key, text } = readSecret(name, written, section)
  if (key === null || text === null) return key === null ? null : ''
  const url = text.trim()
  const { pattern, words } = schemes[name]
  if (!pattern.test(url)) section.fault(key, `must begin with ${words}`)
  else if (/\s/.test(url) || !isSoundUrl(url))
    section.fault(
      key,
      'is not a URL. In a password, write % as %25, a space as %20, / as %2F, ? as %3F, # as %23, @ as %40 and : as %3A',
    )
  return url
}

function isSoundUrl(text: string): boolean {
  try {
    const { username, password, pathname } = new URL(text)
    for (const part of [username, password, pathname]) decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

const secretBytes = 32
/** Others than the owner and a group, of which a service may need to be to read it. */
const othersMode = 0o007

/** In base64; empty after a fault. */
function secretOf(name: string | null, { folder, fault }: Section): string {
  const advice = '`head -c 32 /dev/urandom > cluster.key` makes one'
  const faulty = (message: string): string => fault('secret_file', message) ?? ''
  if (name === null)
    return faulty(`is missing: a file with ${secretBytes} random bytes, the same on every node; ${advice}`)
  const file = resolve(folder, name)
  try {
    const { mode, size } = statSync(file)
    if (size !== secretBytes) return faulty(`${file} has ${size} bytes, not ${secretBytes}; ${advice}`)
    if ((mode & othersMode) === 0) return readFileSync(file, 'base64')
    return faulty(`${file} is open to every user of this machine; \`chmod o= ${file}\` closes it`)
  } catch (error) {
    return faulty(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
}
