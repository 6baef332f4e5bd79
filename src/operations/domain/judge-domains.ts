import type { StoredAccount } from '../../account/account.ts'
import { isUnder, type ReservedDomain } from '../../account/domain-claims.ts'
import { wildcardSuffix } from '../../account/origin-allowlist.ts'
import { isOwnHost, ownHosts, ownUseWords } from '../../config/own-hosts.ts'
import {
  type DomainRecord,
  type DomainRecordSight,
  domainRecord,
  domainRecordLine,
  seeDomainRecord,
} from '../../https/name/domain-record.ts'
import { isPublicSuffix, whyNotPublic } from '../../https/name/public-name.ts'
import type { SiteFolder } from '../../site/folder.ts'
import { SiteFaults, siteToml } from '../../site/site-faults.ts'
import type { Box } from '../box.ts'

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

/** New domains of an account, for the audit log, with the accounts that they were reserved for. */
export const connectionsJson = ({
  connected,
  takenOver,
}: {
  connected: string[]
  takenOver: Pick<ReservedDomain, 'host' | 'handle'>[]
}) => ({
  ...(connected.length > 0 && { connected }),
  ...(takenOver.length > 0 && { takenOver: takenOver.map(({ host, handle }) => `${host} from ${handle}`) }),
})

type JudgingBox = Pick<Box, 'accounts' | 'domainClaims' | 'config'>

/**
 * Refuses names that the account cannot have, and origins of just anybody.
 *
 * @returns the names that it takes from other accounts' reservations. @throws SiteFaults
 */
export async function judgeDomains(
  {
    handle,
    settings,
    domainsPlace,
    originsPlace,
  }: Pick<SiteFolder, 'handle' | 'settings' | 'domainsPlace' | 'originsPlace'>,
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
  const all = [
    ...faults.map((message) => ({ file: siteToml, ...domainsPlace, message })),
    ...anybodysOrigins(settings.origins).map((message) => ({ file: siteToml, ...originsPlace, message })),
  ]
  if (all.length === 0) return takenOver
  throw new SiteFaults(dir, all)
}

/** Origins below a suffix under which anybody gets a name, and could post to the account with visitors' cookies. */
const anybodysOrigins = (origins: readonly string[]): string[] =>
  origins.flatMap((origin) => {
    const suffix = wildcardSuffix(origin)
    return suffix === null || !isPublicSuffix(suffix)
      ? []
      : `"${origin}" lets anybody post here: ${suffix} is a public suffix, under which names are registered; name your own host below it`
  })

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

/** A name that an account's own user or token would connect. */
export interface NewDomain {
  host: string
  isAllowed: boolean
  /** The record that allows it; `null`: it needs none, or none could. */
  record: DomainRecord | null
  /** A sentence: why it may be connected, or what is missing. */
  note: string
}

/** Limits the look-ups of one plan. */
const lookedUpMax = 20

type ProvingBox = Pick<Box, 'domainClaims' | 'signingKeys' | 'config'>

/**
 * Which new names an account may connect by itself: those that it had before, those below a suffix that an owner gave it, and those
 * that a TXT record proves. Who holds a name plays no part, so neither the answer nor its time tells.
 */
export async function newDomains(
  hosts: readonly string[],
  account: StoredAccount,
  { domainClaims, signingKeys, config }: ProvingBox,
): Promise<NewDomain[]> {
  const suffixes = await domainClaims.suffixes(account.id)
  const { secret } = (await signingKeys.read()).current('domain')
  let lookUps = 0
  return Promise.all(
    hosts.map(async (host) => {
      if ((await domainClaims.reserved(host))?.accountId === account.id)
        return allowed(host, `${host} may be connected: it was this account's before.`)
      const suffix = suffixes.find((suffix) => isUnder(host, suffix))
      if (suffix !== undefined) return allowed(host, `${host} may be connected: this account may use ${suffix}.`)
      if (isPublicSuffix(host) || whyNotPublic(host) !== null) return unprovable(host)
      const record = domainRecord(host, account.id, secret)
      if (++lookUps > lookedUpMax) return proved(record, host, { kind: 'failed', code: tooMany })
      return proved(record, host, await seeDomainRecord(record, config.https.resolvers))
    }),
  )
}

/** What an account's user or token is told of a name that it may not have, whyever. */
const neutralRefusal = (host: string): string =>
  `${host} can't be connected to this account. Ask the agency that runs this box.`

const tooMany = `only ${lookedUpMax} names are looked up at a time`

const allowed = (host: string, note: string): NewDomain => ({ host, isAllowed: true, record: null, note })

const unprovable = (host: string): NewDomain => ({
  host,
  isAllowed: false,
  record: null,
  note: `${host} can't be connected to this account yet: no DNS record can prove this name. Ask the agency that runs this box to allow it.`,
})

function proved(record: DomainRecord, host: string, sight: DomainRecordSight): NewDomain {
  const isAllowed = sight.kind === 'there'
  const why = sight.kind === 'failed' ? `its record could not be looked up (${sight.code})` : 'a DNS record is missing'
  const advice = `Set this record and try again, or ask the agency that runs this box to allow the name: ${domainRecordLine(record)}`
  const note = isAllowed
    ? `${host} may be connected: its TXT record is there.`
    : `${host} can't be connected to this account yet: ${why}. ${advice}`
  return { host, isAllowed, record, note }
}
