import type { Static } from '@sinclair/typebox'
import { statedFault, type TomlFault } from '../lib/toml/fault.ts'
import { listOf, optionalText, parsed, string, table, withDefault } from '../lib/toml/shape.ts'
import { allowedRangesMax, type DeliveryConfig } from './config.ts'
import { type ConfigPlace, type KeyFault, trustedCertificates } from './secret.ts'
import { parseCidr, parseFolder } from './values.ts'

/** `[delivery]` (docs/deliveries.md). */
export const deliverySchema = table({
  allow_private: withDefault(listOf(parsed(string(), parseCidr), { itemsMax: allowedRangesMax, unique: true }), []),
  ca_file: withDefault(optionalText(parsed(string(), parseFolder)), null),
})

/** Reads the file that `ca_file` names. */
export function deliveryOf(
  written: Static<typeof deliverySchema>,
  place: ConfigPlace,
): { value: DeliveryConfig; faults: TomlFault[] } {
  const faults: TomlFault[] = []
  const fault: KeyFault = (key, message) => {
    faults.push(statedFault({ key: `delivery.${key}`, line: null }, message))
    return null
  }
  const ca = trustedCertificates('ca_file', written.ca_file, place, fault)
  return { value: { allowPrivate: written.allow_private, ca }, faults }
}
