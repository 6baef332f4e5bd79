import { persistRecordName, persistRecordValue } from '../../https/acme/persist-record.ts'
import type { DomainStatus } from '../../https/domain-status.ts'
import type { Box } from '../box.ts'
import { authorityOf } from './authority.ts'

/** A TXT record that may stand in for port 80 (`dns-persist-01`). */
export interface PersistRecord {
  name: string
  value: string
}

/**
 * The record for each name without a certificate, by host; none before the box has an account at the authority, or where
 * it is not known by what name the authority goes.
 */
export async function persistRecords(
  statuses: readonly DomainStatus[],
  { config, certificates }: Pick<Box, 'config' | 'certificates'>,
): Promise<Map<string, PersistRecord>> {
  const without = statuses.filter(({ state }) => state === 'waiting' || state === 'failing')
  if (without.length === 0) return new Map()
  const { caaIdentities, accountUrl } = await authorityOf(config.https, certificates)
  const [issuer] = caaIdentities
  if (issuer === undefined || accountUrl === null) return new Map()
  const value = persistRecordValue(issuer, accountUrl)
  return new Map(without.map(({ host }) => [host, { name: persistRecordName(host), value }]))
}
