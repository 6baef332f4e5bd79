import { leastFreeMb } from '../../capture/storage-room.ts'
import { isOwnHost, ownHosts } from '../../config/own-hosts.ts'
import { madeAt } from '../../lib/id.ts'
import { LocalDays } from '../../lib/local-day.ts'
import { count, hoursText, timestamp } from '../../lib/quantities.ts'
import { receiversShownMs } from '../../site/publication-log.ts'
import { accountNames } from '../account/account-names.ts'
import { alertChannels } from '../alert/alert-news.ts'
import type { Box } from '../box.ts'
import { byWeight, type CheckResult, warning } from '../check-result.ts'
import { clusterFindings } from '../cluster/cluster-findings.ts'
import { mailServerOf } from '../delivery/mail-server-of.ts'
import { examineBackups, missingBackup } from '../doctor/backup.ts'
import { destinationResult, mailMissing, waitsForMail } from '../doctor/deliveries.ts'
import { diskResult, freeOnDisk, roomAdvice } from '../doctor/folder.ts'
import { missingAddresses } from './missing-addresses.ts'
import type { AccountName, LatestLeads } from './overview-reader.ts'

export interface OverviewAccount extends AccountName, LatestLeads {}

/** The accounts with their latest leads, in their order. */
export async function listOverview(
  { overview, clock }: Pick<Box, 'overview' | 'clock'>,
  accounts: readonly AccountName[],
): Promise<OverviewAccount[]> {
  const now = clock.now()
  const days = new LocalDays()
  const asked = accounts.map(({ id, timezone }) => ({ id, today: days.of(now, timezone) }))
  const leads = await overview.latestLeads(asked)
  return accounts.map((account, index) => ({
    ...account,
    ...(leads[index] ?? { byDay: [], lastAt: null }),
  }))
}

type AttendedBox = Pick<
  Box,
  | 'overview'
  | 'accounts'
  | 'catalogue'
  | 'certificates'
  | 'clock'
  | 'config'
  | 'freeMegabytes'
  | 'targetState'
  | 'alertState'
  | 'cluster'
  | 'isServed'
>

interface AttentionWanted {
  accounts: readonly AccountName[]
  /** Whether to look at what concerns no account. */
  ofBox: boolean
}

type AccountsById = ReadonlyMap<string, AccountName>

/** What needs attention, the worst first. It reads what is known already: nothing is tried or looked up for it. */
export async function attention(box: AttendedBox, { accounts, ofBox }: AttentionWanted): Promise<CheckResult[]> {
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const found = await Promise.all([
    ofBox ? attentionOfBox(box) : [],
    stoppedDestinations(box, byId),
    unsentMail(box, { accounts, ofBox }),
    receivers(box, byId),
    certificates(box, { accounts, ofBox }),
    refusals(box, byId),
    quietAccounts(box, accounts),
    missingAddresses(box, accounts),
  ])
  return found.flat().sort(byWeight)
}

/** What Health says too: no account has a page for it. Of the box's own names, Health has a list. */
export async function attentionOfBox(box: AttendedBox): Promise<CheckResult[]> {
  return [...(await disk(box)), ...backups(box), ...(await nodes(box)), ...failingAlerts(box)]
}

/** Unlike `doctor`, it warns while there is still time. */
async function disk({ freeMegabytes, config: { limits } }: AttendedBox): Promise<CheckResult[]> {
  const free = await freeMegabytes()
  const result = diskResult(free, limits)
  if (result.status !== 'ok') return [result]
  const least = leastFreeMb(limits.minFreeMb).pageViews
  if (free >= 2 * least) return []
  const found = `${freeOnDisk(free)}: below ${count(Math.ceil(least))} MB page views are no longer stored.`
  return [warning('disk', found, roomAdvice)]
}

const backups = ({ config, targetState, clock, isServed }: AttendedBox): CheckResult[] =>
  [
    ...missingBackup(config),
    ...examineBackups({ config: config.backup, stateOf: targetState, now: clock.now(), isServed: isServed() }),
  ].filter(({ status }) => status !== 'ok')

async function nodes({ cluster }: AttendedBox): Promise<CheckResult[]> {
  const status = (await cluster?.status()) ?? null
  return status === null ? [] : clusterFindings(status)
}

/** Those that are paused or fail now. */
export async function stoppedDestinations(
  { overview, config }: Pick<Box, 'overview' | 'config'>,
  accounts: AccountsById,
): Promise<CheckResult[]> {
  return (await overview.stoppedDestinations()).flatMap(({ accountId, name, kind, pauseReason, since }) => {
    const account = accounts.get(accountId)
    const pause = pauseReason === null ? null : { reason: pauseReason, at: since }
    if (account === undefined || waitsForMail({ kind, pause }, config.mail)) return []
    const { handle } = account
    return [destinationResult({ handle, name, pause, failingSince: since, waiting: 0, failed: 0 }, account.name)]
  })
}

/** Mail that waits because the box sends none: for its owner as `doctor` says it, for others by account, whose page says whom to ask. */
async function unsentMail(
  { overview, config }: Pick<AttendedBox, 'overview' | 'config'>,
  { accounts, ofBox }: AttentionWanted,
): Promise<CheckResult[]> {
  if (mailServerOf(config.mail) !== null) return []
  const { nameOf } = accountNames(accounts)
  const known = new Set(accounts.map(({ handle }) => handle))
  const handles = (await overview.mailingAccounts()).filter((handle) => known.has(handle))
  if (ofBox) return handles.length === 0 ? [] : [mailMissing(handles, nameOf)]
  return handles.map((handle) => ({
    ...mailMissing([handle], nameOf),
    page: { name: 'deliveries', account: handle } as const,
  }))
}

/** For a week: nobody leads visitors' data away unseen, with a stolen token or a colleague's session. */
async function receivers({ overview, clock }: AttendedBox, accounts: AccountsById): Promise<CheckResult[]> {
  return (await overview.addedReceivers(clock.now() - receiversShownMs)).flatMap(({ accountId, at, by, receivers }) => {
    const account = accounts.get(accountId)
    if (account === undefined) return []
    const { handle, name } = account
    const found = `Since ${timestamp(at)}, what visitors of ${name} enter has gone somewhere new (${receivers.join('; ')}), as ${by} published.`
    const page = { name: 'deliveries', account: handle } as const
    return [warning('receivers', found, `capture delivery list ${handle}`, { about: String(at), page })]
  })
}

/** As the service last saw the names. */
async function certificates(
  { certificates, config }: AttendedBox,
  { accounts, ofBox }: AttentionWanted,
): Promise<CheckResult[]> {
  if (config.https.mode !== 'auto') return []
  const holders = new Map(accounts.flatMap(({ handle, domains }) => domains.map((host) => [host, handle] as const)))
  return (await certificates.names()).flatMap(({ host, state, removedAt, certificate }) => {
    const account = holders.get(host) ?? null
    const isWell = removedAt !== null || state === 'active' || state === 'off'
    // The service takes a while to note that a domain was removed.
    const isServed = account !== null || (ofBox && ownHosts(config).some((own) => isOwnHost(own, host)))
    if (isWell || !isServed) return []
    const has = certificate === null ? 'has no certificate' : 'has a certificate that is not renewed'
    const page = { name: 'domains', account } as const
    return [warning('certificate', `${host} ${has}.`, `capture domain check ${host}`, { about: host, page })]
  })
}

const hourMs = 3_600_000
const dayHours = 24
/** Fewer are an accident; more than three times as many as the day before are news. */
const risenMin = 10
const risenTimes = 3

async function refusals({ overview, clock }: AttendedBox, accounts: AccountsById): Promise<CheckResult[]> {
  const hour = Math.floor(clock.now() / hourMs) - dayHours
  return (await overview.refusals(hour, dayHours)).flatMap(({ accountId, lately, before }) => {
    const account = accounts.get(accountId)
    if (account === undefined || lately < risenMin || lately < risenTimes * before) return []
    const { handle, name } = account
    const found = `${count(lately)} requests of ${name} were refused since yesterday; ${count(before)} in the day before.`
    return [warning('refusals', found, `capture refusals ${handle}`, { page: { name: 'refusals', account: handle } })]
  })
}

/** Accounts whose `no_leads_for` has passed without a lead, also since they were made. */
async function quietAccounts(
  { overview, clock }: AttendedBox,
  accounts: readonly AccountName[],
): Promise<CheckResult[]> {
  const watched = accounts.filter(({ noLeadsForHours }) => noLeadsForHours !== null)
  const now = clock.now()
  const leads = await overview.latestLeads(watched.map(({ id }) => ({ id, today: 0 })))
  return watched.flatMap(({ id, handle, name, noLeadsForHours }, index) => {
    const lastAt = leads[index]?.lastAt ?? null
    const since = lastAt ?? madeAt(id)
    if (now - since < (noLeadsForHours ?? 0) * hourMs) return []
    const last = lastAt === null ? 'It has had none yet.' : `The last one came at ${timestamp(lastAt)}.`
    const found = `${name} has had no lead for ${hoursText(noLeadsForHours ?? 0)}. ${last}`
    return [warning('leads', found, `capture refusals ${handle}`, { page: { name: 'refusals', account: handle } })]
  })
}

/** How alerts fail: mail cannot say that it does not work. */
const failingAlerts = ({ alertState }: AttendedBox): CheckResult[] =>
  alertChannels.flatMap((channel) => {
    const failure = alertState()[channel]?.failure ?? null
    if (failure === null) return []
    const how = channel === 'mail' ? 'by mail' : 'to the `url` of [alerts]'
    const found = `Alerts cannot be sent ${how} since ${timestamp(failure.since)}: ${failure.error}`
    return [
      warning('alerts', found, '`capture alert test` shows the whole exchange.', {
        about: channel,
      }),
    ]
  })
