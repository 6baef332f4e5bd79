import type { Submission } from '../../ledger/entry.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'

/** 64 bits: compared only with what one sender sent within minutes. */
const digits = 16

/**
 * Identifies equal submissions by form, fields as sent, and sender. An identity is one of the fields, so only
 * submissions without one need the device; `null`: neither is known, and strangers may send the same text. The hidden
 * field is ignored: somebody who sends a refused submission again leaves it empty.
 */
export function fingerprint({ formId, email, deviceId, honeypot, fields }: Submission): string | null {
  if (email === null && deviceId === null) return null
  const sender = email === null ? deviceId : null
  const stated = honeypot === null ? fields : without(honeypot.field, fields)
  return Bun.SHA256.hash(canonicalJson([formId, sender, stated]), 'hex').slice(0, digits)
}

function without(name: string, { [name]: _evidence, ...others }: Submission['fields']): Submission['fields'] {
  return others
}
