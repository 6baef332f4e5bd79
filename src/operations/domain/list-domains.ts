import type { DomainStatus } from '../../https/domain-status.ts'
import type { Box } from '../box.ts'
import { authorityOf } from './authority.ts'
import { configuredDomains } from './configured-domains.ts'
import { domainStatuses, type StatusSources } from './domain-statuses.ts'
import { isWithout, type PersistRecord, persistRecords } from './persist-record.ts'

export interface DomainList {
  domains: DomainStatus[]
  /** Keyed by host, for names without a certificate. */
  persistRecords: Map<string, PersistRecord>
}

/** @param account the handle of the account to list; `null`: all names of the box */
export async function listDomains(
  box: StatusSources & Pick<Box, 'accounts'>,
  account: string | null,
): Promise<DomainList> {
  const all = await configuredDomains(box)
  const domains = await domainStatuses(account === null ? all : all.filter((domain) => domain.account === account), box)
  if (!domains.some(isWithout)) return { domains, persistRecords: new Map() }
  return { domains, persistRecords: persistRecords(domains, await authorityOf(box.config.https, box.certificates)) }
}
