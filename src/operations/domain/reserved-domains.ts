import { domainReservedMs, type ReservedDomain } from '../../account/domain-claims.ts'
import { readHostname } from '../../lib/hostname.ts'
import { NotThere } from '../../lib/operator-error.ts'
import type { Box } from '../box.ts'

/** Names that are reserved for accounts that had them. @param accountId `null`: every account */
export async function reservedDomains(
  { domainClaims }: Pick<Box, 'domainClaims'>,
  accountId: string | null = null,
): Promise<ReservedDomain[]> {
  const all = await domainClaims.listReserved()
  return accountId === null ? all : all.filter((domain) => domain.accountId === accountId)
}

/** Frees a reserved name for every account. @param typed the host. @throws NotThere when it is not reserved */
export async function releaseDomain(
  { domainClaims }: Pick<Box, 'domainClaims'>,
  typed: string,
): Promise<ReservedDomain> {
  const reading = readHostname(typed)
  const released = await domainClaims.release('value' in reading ? reading.value : typed)
  if (released === null)
    throw new NotThere(`${typed} is not reserved. \`capture domain reserved\` lists the names that are.`)
  return released
}

/** As commands and the API show it. */
export const reservedDomainJson = ({ host, handle, droppedAt }: ReservedDomain) => ({
  host,
  account: handle,
  droppedAt: new Date(droppedAt).toISOString(),
  reservedUntil: reservedUntil({ droppedAt }),
})

const reservedUntil = ({ droppedAt }: Pick<ReservedDomain, 'droppedAt'>): string =>
  new Date(droppedAt + domainReservedMs).toISOString()
