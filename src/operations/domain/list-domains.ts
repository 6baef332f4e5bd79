import { type Static, Type } from '@sinclair/typebox'
import { accountPreviewHost } from '../../asset/preview-host.ts'
import type { Config } from '../../config/config.ts'
import { ownHosts, previewsBelow } from '../../config/own-hosts.ts'
import { type ConfiguredDomain, type DomainStatus, lookedAtStatus } from '../../https/domain-status.ts'
import type { Look } from '../../https/keeper/name-steps.ts'
import { leadsElsewhere, nameVerdict } from '../../https/name/name-verdict.ts'
import { type NameSight, observedName, observeName, type Reached } from '../../https/name/observe-name.ts'
import { recordTargets } from '../../https/name/own-addresses.ts'
import { whyNotPublic } from '../../https/name/public-name.ts'
import { readHostname } from '../../lib/hostname.ts'
import { NotThere } from '../../lib/operator-error.ts'
import { text, textOrNull } from '../../lib/schema.ts'
import { nearest } from '../../lib/suggestion.ts'
import { accountNamed } from '../account/account-named.ts'
import { type Done, defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import {
  authorityOf,
  domainJson,
  domainSchema,
  domainStatuses,
  isWithout,
  type MetAuthority,
  type PersistRecord,
  persistRecords,
  type StatusSources,
} from './domain-statuses.ts'

interface DomainList {
  domains: DomainStatus[]
  /** Keyed by host, for names without a certificate. */
  persistRecords: Map<string, PersistRecord>
}

interface DomainsWanted {
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

type NameChecked = Done<CheckedDomainJson> & { checked: DomainChecked }
type CheckSources = StatusSources & LookSources & Pick<Box, 'accounts'>

export interface DomainChecked {
  status: DomainStatus
  /** `null`: the name has its certificate, or the record is unknown. */
  persistRecord: PersistRecord | null
  /** Whether the next attempt was moved forward. */
  isMoved: boolean
}

/** The object of `domain check`: what is wrong with the records, and how to mend it. */
const checkedSchema = Type.Object({ ...domainSchema.properties, fault: textOrNull })

export type CheckedDomainJson = Static<typeof checkedSchema>

const checking = {
  name: 'domain.check',
  scope: 'admin',
  input: Type.Object({
    host: text,
    now: Type.Boolean({ default: false, description: 'try to get a certificate now' }),
  }),
  answer: checkedSchema,
  subject: ({ host }: { host: string }) => host,
} as const

/** With or without a running service. */
export const checkDomain = defineAct({
  ...checking,
  text: 'Check DNS, CAA records and port 80 of a domain now',
  of: 'account',
  run: (box: CheckSources, { host, account, now }): Promise<NameChecked> => checkNamed(box, { host, account, now }),
})

export const checkNameOfBox = defineAct({
  ...checking,
  text: 'Check DNS, CAA records and port 80 of any name of the box now',
  of: 'box',
  run: (box: CheckSources, wanted): Promise<NameChecked> => checkNamed(box, { ...wanted, account: null }),
})

interface DomainWanted {
  /** As typed. */
  host: string
  /** The handle of the account whose domain it is to be; `null`: any name of the box. */
  account: string | null
  /** Moves the name's next attempt forward. */
  now: boolean
}

/** @throws NotThere when the host is not connected to this box, or not to the account */
async function checkNamed(box: CheckSources, { now: isNow, ...named }: DomainWanted) {
  const domain = await domainNamed(box, named)
  const authority = authorityOf(box.config.https, box.certificates)
  const { fault, ...checked } = await checkedDomain(domain, authority, box)
  const { host } = domain
  const persistRecord = persistRecords([checked.status], await authority).get(host) ?? null
  const now = box.clock.now()
  const isMoved = isNow && box.config.https.mode === 'auto' && (await box.certificates.tryNow(host, now))
  const status = isMoved ? { ...checked.status, nextTryAt: now } : checked.status
  return {
    answer: { ...domainJson(status, persistRecord), fault },
    checked: { ...checked, status, persistRecord, isMoved },
  }
}

async function checkedDomain(
  domain: ConfiguredDomain,
  authority: Promise<MetAuthority>,
  box: CheckSources,
): Promise<{ status: DomainStatus; fault: string | null }> {
  const [before] = await domainStatuses([domain], box)
  if (before === undefined) throw new Error('A configured domain has a status')
  const look = await lookAtWorld(domain.host, authority, box)
  if (look === null) return { status: before, fault: null }
  const { observed, hindrance } = look
  const isOrdered = box.config.https.mode === 'auto'
  const status = isOrdered
    ? lookedAtStatus(before, { observed, hindrance, isRunning: box.isServed() })
    : { ...before, observed }
  return { status, fault: hindrance }
}

async function domainNamed(
  box: Pick<Box, 'accounts' | 'config'>,
  { host: typed, account }: Pick<DomainWanted, 'host' | 'account'>,
) {
  const domains = account === null ? await configuredDomains(box) : await domainsOfAccount(box, account)
  const reading = readHostname(typed)
  const host = 'value' in reading ? reading.value : typed
  const found = domains.find((domain) => domain.host === host)
  if (found !== undefined) return found
  const meant = nearest(
    host,
    domains.map((domain) => domain.host),
  )
  const advice = meant === null ? '`capture domain list` shows the connected domains.' : `Did you mean ${meant}?`
  throw new NotThere(`${typed} is not connected to this box. ${advice}`)
}

type LookSources = Pick<Box, 'signingKeys' | 'config' | 'clock' | 'isServed'>

/** Checks DNS, CAA and port 80 of a name now; `null`: the name is not in public DNS. */
async function lookAtWorld(host: string, authority: Promise<MetAuthority>, box: LookSources): Promise<Look | null> {
  if (whyNotPublic(host) !== null) return null
  const { https } = box.config
  const { mode, resolvers, addresses } = https
  const isBehindProxy = mode === 'off'
  const { secret } = (await box.signingKeys.read()).current('name')
  const [sight, met] = await Promise.all([observeName(host, { resolvers, secret, isBehindProxy }), authority])
  const served = box.isServed() ? sight : asIfServed(sight)
  const observed = observedName(sight, addresses)
  const records = { addresses, targets: recordTargets(addresses) }
  // Where the box orders nothing, it is no matter to it whom CAA records let issue.
  if (mode !== 'auto') return { observed, hindrance: leadsElsewhere(served, { ...records, isBehindProxy }) }
  const verdict = nameVerdict(served, { ...met, ...records, now: box.clock.now() })
  return { observed, hindrance: verdict.ready ? null : verdict.reason }
}

/** Without a running service nothing can answer, which is not the name's fault. */
const asIfServed = (sight: NameSight): NameSight => ({
  ...sight,
  reached: sight.reached.map((reached) => (mayBeOurs(reached) ? { ...reached, answer: 'ours' } : reached)),
})

/** A proxy answers 502, 503 or 504 for a box that is not there. */
const mayBeOurs = ({ answer, status }: Reached): boolean =>
  answer === 'none' || answer === 'unknown' || [502, 503, 504].includes(status ?? 0)

/** The names of one account: connected domains in order of host, then that of its previews. @throws OperatorError when there is no account of that handle */
export async function domainsOfAccount(
  { accounts, config }: Pick<Box, 'accounts' | 'config'>,
  handle: string,
): Promise<ConfiguredDomain[]> {
  const account = await accountNamed(accounts, handle)
  const connected = account.settings.domains.toSorted()
  return [
    ...connected.map((host): ConfiguredDomain => ({ host, account: account.handle, use: 'site' })),
    ...previewDomains([account], config),
  ]
}

/** Every name of this box: connected domains in order of host, accounts' hosts of previews, then the box's own names. */
export async function configuredDomains({
  accounts,
  config,
}: Pick<Box, 'accounts' | 'config'>): Promise<ConfiguredDomain[]> {
  const listed = await accounts.list()
  const found = await Promise.all(listed.map(({ handle }) => accounts.find(handle)))
  const connected = found.flatMap((account) =>
    (account?.settings.domains ?? []).map(
      (host): ConfiguredDomain => ({ host, account: account?.handle ?? null, use: 'site' }),
    ),
  )
  const inOrder = connected.toSorted((one, other) => (one.host < other.host ? -1 : 1))
  return [...inOrder, ...previewDomains(listed, config), ...ownDomains({ config })]
}

/** The preview host, and the console's. */
const ownDomains = ({ config }: Pick<Box, 'config'>): ConfiguredDomain[] =>
  ownHosts(config).map(({ host, use }) => ({ host, use, account: null }))

/** The hosts of accounts' previews, where each account has one. */
export const previewDomains = (accounts: readonly { handle: string }[], config: Config): ConfiguredDomain[] =>
  accounts.flatMap(({ handle }) => {
    const host = accountPreviewHost(handle, previewsBelow(config))
    return host === null ? [] : { host, account: handle, use: 'preview' }
  })
