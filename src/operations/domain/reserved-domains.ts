import { Type } from '@sinclair/typebox'
import { domainReservedMs, type ReservedDomain, suffixesPerAccountMax } from '../../account/domain-claims.ts'
import { isPublicSuffix } from '../../https/name/public-name.ts'
import { readHostname } from '../../lib/hostname.ts'
import { NotThere, OperatorError } from '../../lib/operator-error.ts'
import { text, texts } from '../../lib/schema.ts'
import { accountNamed } from '../account/account-named.ts'
import { type Done, defineAct } from '../act.ts'
import type { Box } from '../box.ts'

/** Names that are reserved for accounts that had them. @param accountId `null`: every account */
export async function reservedDomains(
  { domainClaims }: Pick<Box, 'domainClaims'>,
  accountId: string | null = null,
): Promise<ReservedDomain[]> {
  const all = await domainClaims.listReserved()
  return accountId === null ? all : all.filter((domain) => domain.accountId === accountId)
}

export const reservedDomain = Type.Object({ host: text, account: text, droppedAt: text, reservedUntil: text })

/** Frees a reserved name for every account. */
export const releaseDomain = defineAct({
  name: 'domain.release',
  text: 'Free a name that is reserved for the account that had it',
  of: 'box',
  scope: 'admin',
  input: Type.Object({ host: text }),
  answer: reservedDomain,
  subject: ({ host }) => host,
  async run({ domainClaims }: Pick<Box, 'domainClaims'>, { host: typed }) {
    const reading = readHostname(typed)
    const released = await domainClaims.release('value' in reading ? reading.value : typed)
    if (released === null)
      throw new NotThere(`${typed} is not reserved. \`capture domain reserved\` lists the names that are.`)
    const answer = reservedDomainJson(released)
    return { answer, change: { before: { reservedFor: answer.account, droppedAt: answer.droppedAt }, after: null } }
  },
})

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

type SuffixBox = Pick<Box, 'accounts' | 'domainClaims'>

/** @throws NotThere when there is no account of that handle */
export async function domainSuffixes({ accounts, domainClaims }: SuffixBox, handle: string): Promise<DomainSuffixes> {
  const { id, handle: account } = await accountNamed(accounts, handle)
  return { account, suffixes: await domainClaims.suffixes(id) }
}

const changing = {
  name: 'account.domains',
  of: 'account',
  scope: 'admin',
  ownersOnly: true,
  input: Type.Object({ suffix: text }),
  answer: Type.Object({ account: text, suffixes: texts }),
  subject: ({ suffix }: { suffix: string }) => suffix,
} as const

export const addDomainSuffix = defineAct({
  ...changing,
  text: "Let the account's own users and tokens connect every name below a suffix",
  async run(box: SuffixBox, { account, suffix }): Promise<Done<DomainSuffixes>> {
    const { id } = await accountNamed(box.accounts, account)
    const host = suffixIn(suffix)
    const known = await box.domainClaims.suffixes(id)
    if (!known.includes(host) && known.length >= suffixesPerAccountMax)
      throw new OperatorError(
        `${account} has ${suffixesPerAccountMax} suffixes, and may have no more. Remove some first.`,
      )
    await box.domainClaims.addSuffix(id, host)
    const answer = await domainSuffixes(box, account)
    return { answer, change: { before: null, after: { added: suffix, suffixes: answer.suffixes } } }
  },
})

/** Names that are connected stay connected. */
export const removeDomainSuffix = defineAct({
  ...changing,
  text: 'Allow the names below a suffix no longer; connected ones stay',
  async run(box: SuffixBox, { account, suffix }): Promise<Done<DomainSuffixes>> {
    const { id } = await accountNamed(box.accounts, account)
    const reading = readHostname(suffix)
    if (!(await box.domainClaims.removeSuffix(id, 'value' in reading ? reading.value : suffix)))
      throw new NotThere(
        `${account} has no suffix ${suffix}. \`capture account domains ${account}\` lists those it has.`,
      )
    const answer = await domainSuffixes(box, account)
    return { answer, change: { before: null, after: { removed: suffix, suffixes: answer.suffixes } } }
  },
})

function suffixIn(typed: string): string {
  const reading = readHostname(typed)
  if ('expected' in reading) throw new OperatorError(`${typed} is no suffix: expected ${reading.expected}.`)
  if (isPublicSuffix(reading.value))
    throw new OperatorError(
      `${reading.value} is a public suffix, under which names are registered. Give a name below it, such as the agency's own.`,
    )
  return reading.value
}
