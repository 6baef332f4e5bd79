import type { ConfiguredDomain, DomainStatus } from '../../https/domain-status.ts'
import type { Box } from '../box.ts'
import { authorityOf } from './authority.ts'
import { configuredDomains, domainsOfAccount, ownDomains } from './configured-domains.ts'
import { domainStatuses, type StatusSources } from './domain-statuses.ts'
import { isWithout, type PersistRecord, persistRecords } from './persist-record.ts'

export interface DomainList {
  domains: DomainStatus[]
  /** Keyed by host, for names without a certificate. */
  persistRecords: Map<string, PersistRecord>
}

export interface DomainsWanted {
  /** Its handle; `null`: all names of the box. */
  account: string | null
  /** Whether to ask an authority that is not built in for its names, which may take five seconds. */
  asksAuthority: boolean
}

/** @throws OperatorError when there is no account of that handle */
export async function listDomains(
  box: StatusSources & Pick<Box, 'accounts'>,
  { account, asksAuthority }: DomainsWanted,
): Promise<DomainList> {
  const configured = account === null ? await configuredDomains(box) : await domainsOfAccount(box, account)
  return withStates(configured, box, asksAuthority)
}

/** The names that the box has for itself. */
export const listOwnNames = (box: StatusSources): Promise<DomainList> => withStates(ownDomains(box), box, false)

async function withStates(
  configured: ConfiguredDomain[],
  box: StatusSources,
  asksAuthority: boolean,
): Promise<DomainList> {
  const domains = await domainStatuses(configured, box)
  if (!domains.some(isWithout)) return { domains, persistRecords: new Map() }
  const authority = await authorityOf(box.config.https, box.certificates, asksAuthority)
  return { domains, persistRecords: persistRecords(domains, authority) }
}
