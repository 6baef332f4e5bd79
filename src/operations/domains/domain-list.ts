import type { DomainStatus } from '../../https/domain-status.ts'
import type { Box } from '../box.ts'
import { configuredDomains } from './configured-domains.ts'
import { domainStatuses, type StatusSources } from './domain-statuses.ts'

/** @param account handle of the one whose names are told; `null`: all names of the box */
export async function listDomains(
  box: StatusSources & Pick<Box, 'accounts'>,
  account: string | null,
): Promise<DomainStatus[]> {
  const domains = await configuredDomains(box)
  return domainStatuses(account === null ? domains : domains.filter((domain) => domain.account === account), box)
}
