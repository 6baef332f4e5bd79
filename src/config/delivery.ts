import type { Static } from '@sinclair/typebox'
import { listOf, optionalText, parsed, string, table, withDefault } from '../lib/toml/shape.ts'
import { allowedRangesMax, type DeliveryConfig } from './config.ts'
import { type Section, trustedCertificates } from './secret.ts'
import { parseCidr, parseFolder } from './values.ts'

/** `[delivery]` (docs/deliveries.md). */
export const deliverySchema = table({
  allow_private: withDefault(listOf(parsed(string(), parseCidr), { itemsMax: allowedRangesMax, unique: true }), []),
  ca_file: withDefault(optionalText(parsed(string(), parseFolder)), null),
})

/** Reads the file that `ca_file` names. */
export const deliveryOf = (written: Static<typeof deliverySchema>, section: Section): DeliveryConfig => ({
  allowPrivate: written.allow_private,
  ca: trustedCertificates('ca_file', written.ca_file, section),
})
