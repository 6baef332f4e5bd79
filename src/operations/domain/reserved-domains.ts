import { domainReservedMs, type ReservedDomain, suffixesPerAccountMax } from '../../account/domain-claims.ts'
import { isPublicSuffix } from '../../https/name/public-name.ts'
import { readHostname } from '../../lib/hostname.ts'
import { NotThere, OperatorError } from '../../lib/operator-error.ts'
import { accountNamed } from '../account/account-named.ts'
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

/** The names below which an account's own users and tokens connect any without a proof. */
export interface DomainSuffixes {
  /** Its handle. */
  account: string
  suffixes: string[]
}

interface SuffixWanted {
  /** The handle. */
  account: string
  /** As typed. */
  suffix: string
}

type SuffixBox = Pick<Box, 'accounts' | 'domainClaims'>

/** @throws NotThere when there is no account of that handle */
export async function domainSuffixes({ accounts, domainClaims }: SuffixBox, handle: string): Promise<DomainSuffixes> {
  const { id, handle: account } = await accountNamed(accounts, handle)
  return { account, suffixes: await domainClaims.suffixes(id) }
}

/** @throws NotThere; OperatorError when no account may have the suffix */
export async function addDomainSuffix(box: SuffixBox, { account, suffix }: SuffixWanted): Promise<DomainSuffixes> {
  const { id } = await accountNamed(box.accounts, account)
  const host = suffixIn(suffix)
  const known = await box.domainClaims.suffixes(id)
  if (!known.includes(host) && known.length >= suffixesPerAccountMax)
    throw new OperatorError(
      `${account} has ${suffixesPerAccountMax} suffixes, and may have no more. Remove some first.`,
    )
  await box.domainClaims.addSuffix(id, host)
  return domainSuffixes(box, account)
}

/** Names that are connected stay connected. @throws NotThere when the account has no such suffix */
export async function removeDomainSuffix(box: SuffixBox, { account, suffix }: SuffixWanted): Promise<DomainSuffixes> {
  const { id } = await accountNamed(box.accounts, account)
  const reading = readHostname(suffix)
  if (!(await box.domainClaims.removeSuffix(id, 'value' in reading ? reading.value : suffix)))
    throw new NotThere(`${account} has no suffix ${suffix}. \`capture account domains ${account}\` lists those it has.`)
  return domainSuffixes(box, account)
}

function suffixIn(typed: string): string {
  const reading = readHostname(typed)
  if ('expected' in reading) throw new OperatorError(`${typed} is no suffix: expected ${reading.expected}.`)
  if (isPublicSuffix(reading.value))
    throw new OperatorError(
      `${reading.value} is a public suffix, under which names are registered. Give a name below it, such as the agency's own.`,
    )
  return reading.value
}
