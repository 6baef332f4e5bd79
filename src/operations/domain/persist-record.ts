import { persistRecordName, persistRecordValue } from '../../https/acme/persist-record.ts'
import type { DomainStatus } from '../../https/domain-status.ts'
import type { MetAuthority } from './authority.ts'

/** A TXT record that can replace validation over port 80 (`dns-persist-01`). */
export interface PersistRecord {
  name: string
  value: string
}

/**
 * The record for each name without a certificate, by host. Empty while the box has no account at the authority, or if the
 * authority's CAA name is unknown.
 */
export function persistRecords(
  statuses: readonly DomainStatus[],
  { caaIdentities, accountUrl }: MetAuthority,
): Map<string, PersistRecord> {
  const [issuer] = caaIdentities
  if (issuer === undefined || accountUrl === null) return new Map()
  const value = persistRecordValue(issuer, accountUrl)
  return new Map(statuses.filter(isWithout).map(({ host }) => [host, { name: persistRecordName(host), value }]))
}

/** Whether the name lacks the certificate that it should have. */
export const isWithout = ({ state }: Pick<DomainStatus, 'state'>): boolean => state === 'waiting' || state === 'failing'
