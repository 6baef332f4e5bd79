import type { StoredAccount } from '../../account/account.ts'
import type { ReservedDomain } from '../../account/domain-claims.ts'
import { isOwnHost, ownHosts, ownUseWords } from '../../config/own-hosts.ts'
import { isPublicSuffix } from '../../https/name/public-name.ts'
import type { SiteFolder } from '../../site/folder.ts'
import { SiteFaults, siteToml } from '../../site/site-faults.ts'
import type { Box } from '../box.ts'
import { type NewDomain, neutralRefusal } from './new-domains.ts'

/**
 * Which new names the one who applies a folder may connect. `any`: a command on the box, an owner, a token of the box. Else: those
 * that the account may have, as `newDomains` found.
 */
type AllowedDomains = 'any' | readonly NewDomain[]

interface Judging {
  allowed: AllowedDomains
  /** Of a dry run what is missing is no fault: the plan says it. */
  dryRun: boolean
  /** For messages. */
  dir: string
}

type JudgingBox = Pick<Box, 'accounts' | 'domainClaims' | 'config'>

/**
 * Refuses names that the account cannot have.
 *
 * @returns the names that it takes from other accounts' reservations. @throws SiteFaults
 */
export async function judgeDomains(
  { handle, settings, domainsPlace }: Pick<SiteFolder, 'handle' | 'settings' | 'domainsPlace'>,
  box: JudgingBox,
  { allowed, dryRun, dir }: Judging,
): Promise<ReservedDomain[]> {
  const account = await box.accounts.find(handle)
  const faults: string[] = []
  const takenOver: ReservedDomain[] = []
  for (const host of settings.domains) {
    if (isPublicSuffix(host)) {
      faults.push(`${host} is a public suffix, under which names are registered: connect a name below it`)
      continue
    }
    const isConnected = account?.settings.domains.includes(host) ?? false
    const missing = allowed === 'any' || isConnected ? null : missingOf(host, allowed)
    if (missing !== null) {
      if (!dryRun) faults.push(missing)
      continue
    }
    const { refusal, reservation } = await standing(host, account, box)
    if (refusal !== null) faults.push(allowed === 'any' ? refusal : neutralRefusal(host))
    else if (reservation !== null && allowed === 'any') takenOver.push(reservation)
    else if (reservation !== null) faults.push(neutralRefusal(host))
  }
  if (faults.length === 0) return takenOver
  throw new SiteFaults(
    dir,
    faults.map((message) => ({ file: siteToml, ...domainsPlace, message })),
  )
}

/** What the account still has to prove; `null`: nothing. */
function missingOf(host: string, allowed: readonly NewDomain[]): string | null {
  const found = allowed.find((name) => name.host === host)
  if (found === undefined) return neutralRefusal(host)
  return found.isAllowed ? null : found.note
}

/** Whose the name is now, other than the account's. */
async function standing(
  host: string,
  account: StoredAccount | null,
  { accounts, domainClaims, config }: JudgingBox,
): Promise<{ refusal: string | null; reservation: ReservedDomain | null }> {
  const own = ownHosts(config).find((own) => isOwnHost(own, host))
  const holder = await accounts.holderOf(host)
  const reserved = await domainClaims.reserved(host)
  const reservation = reserved?.accountId === account?.id ? null : reserved
  if (own !== undefined) return { refusal: `${host} is ${ownUseWords[own.use]}`, reservation }
  if (holder !== null && holder !== account?.handle)
    return { refusal: `${host} belongs to the account "${holder}"`, reservation }
  return { refusal: null, reservation }
}
