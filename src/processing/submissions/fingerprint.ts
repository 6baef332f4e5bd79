import { createHash } from 'node:crypto'
import type { Submission } from '../../ledger/entry.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'

/**
 * What two submissions have in common that say the same: form, fields as sent, and who sent them. An identity is told
 * from the fields, so only those without one need their device; `null`: neither is known, and strangers may say the same.
 */
export function fingerprint({ formId, email, deviceId, fields }: Submission): string | null {
  if (email === null && deviceId === null) return null
  const sender = email === null ? deviceId : null
  const said = canonicalJson([formId, sender, fields])
  return createHash('sha256').update(said).digest('hex')
}
