import { isAbsolute, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Static } from '@sinclair/typebox'
import { parseAge } from '../lib/age.ts'
import { isBech32 } from '../lib/bech32.ts'
import { listOf, type Parsed, parsed, string, table, withDefault } from '../lib/toml/shape.ts'
import { isFileTarget, noS3, parseTarget, s3Keys, s3Of } from './s3.ts'
import type { Section } from './secret.ts'

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
  ...s3Keys,
})

export type BackupConfig = ReturnType<typeof backupOf>

type WrittenKeys = Static<typeof backupSchema>

/** Checks the keys together and reads the secrets. Those of S3 are ignored without a target there. */
export function backupOf(written: WrittenKeys, section: Section, dataDir: string) {
  const { fault } = section
  const { to, recipients } = written
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
  if (remote === undefined) return { ...value, ...noS3 }
  if (recipients.length === 0)
    fault('recipients', `is empty, and nothing goes to ${remote} in the clear; \`capture backup key\` makes a key`)
  return { ...value, ...s3Of(written, section) }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(resolve(folder), resolve(path))
  return way === '' || !(way.startsWith('..') || isAbsolute(way))
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
