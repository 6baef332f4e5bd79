import type { StoredAccount } from '../../account/account.ts'
import { isUnder } from '../../account/domain-claims.ts'
import {
  type DomainRecord,
  type DomainRecordSight,
  domainRecord,
  domainRecordLine,
  seeDomainRecord,
} from '../../https/name/domain-record.ts'
import { isPublicSuffix, whyNotPublic } from '../../https/name/public-name.ts'
import type { Box } from '../box.ts'

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
export const neutralRefusal = (host: string): string =>
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
