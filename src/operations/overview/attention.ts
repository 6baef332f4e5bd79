import { leastFreeMb } from '../../capture/storage-room.ts'
import { isOwnHost, ownHosts } from '../../config/own-hosts.ts'
import { count, timestamp } from '../../lib/quantities.ts'
import { receiversShownMs } from '../../site/publication-log.ts'
import type { Box } from '../box.ts'
import { pauseWords } from '../delivery/pause-words.ts'
import { examineBackups } from '../doctor/backup.ts'
import type { AccountName, StoppedDestination } from './overview-reader.ts'

/** Something that somebody should look at. */
export interface Attention {
  kind: 'delivery' | 'receivers' | 'certificate' | 'refusals' | 'disk' | 'backup' | 'box'
  /** The handle of the account that it concerns; `null`: the box. */
  account: string | null
  /** `bad`: something is lost or not reached. */
  tone: 'doubtful' | 'bad'
  /** One sentence. */
  found: string
}

type AttendedBox = Pick<
  Box,
  'overview' | 'certificates' | 'clock' | 'config' | 'freeMegabytes' | 'targetState' | 'isServed'
>

export interface AttentionWanted {
  accounts: readonly AccountName[]
  /** Whether to look at what concerns no account. */
  ofBox: boolean
}

/** What needs attention, the worst first. It reads what is known already: nothing is tried or looked up for it. */
export async function attention(box: AttendedBox, { accounts, ofBox }: AttentionWanted): Promise<Attention[]> {
  const handles = new Map(accounts.map(({ id, handle }) => [id, handle]))
  const found = await Promise.all([
    ofBox ? disk(box) : [],
    ofBox ? backups(box) : [],
    destinations(box, handles),
    receivers(box, handles),
    certificates(box, { accounts, ofBox }),
    refusals(box, handles),
  ])
  return found.flat().sort((one, other) => Number(other.tone === 'bad') - Number(one.tone === 'bad'))
}

async function disk({ freeMegabytes, config: { limits } }: AttendedBox): Promise<Attention[]> {
  const free = await freeMegabytes()
  const least = leastFreeMb(limits.minFreeMb).pageViews
  if (free >= 2 * least) return []
  const isLost = free < least
  const consequence = isLost
    ? 'page views are no longer stored'
    : `below ${count(Math.ceil(least))} MB page views are no longer stored`
  const sentence = `${count(Math.floor(free))} MB are free on the disk of the box: ${consequence}.`
  return [{ kind: 'disk', account: null, tone: isLost ? 'bad' : 'doubtful', found: sentence }]
}

const backups = ({ config, targetState, clock, isServed }: AttendedBox): Attention[] =>
  examineBackups({ config: config.backup, stateOf: targetState, now: clock.now(), isServed: isServed() })
    .filter(({ status }) => status !== 'ok')
    .map(({ found }) => ({ kind: 'backup', account: null, tone: 'bad', found }))

async function destinations({ overview }: AttendedBox, handles: ReadonlyMap<string, string>): Promise<Attention[]> {
  return (await overview.stoppedDestinations()).flatMap((destination) => {
    const account = handles.get(destination.accountId)
    return account === undefined ? [] : [stopped(destination, account)]
  })
}

function stopped({ name, pauseReason }: StoppedDestination, account: string): Attention {
  const about = `The delivery "${name}" of ${account}`
  const found =
    pauseReason === null ? `${about} fails: new deliveries wait.` : `${about} is paused: ${pauseWords[pauseReason]}.`
  return { kind: 'delivery', account, tone: pauseReason === 'hand' ? 'doubtful' : 'bad', found }
}

/** For a week: nobody leads visitors' data away unseen, with a stolen token or a colleague's session. */
async function receivers({ overview, clock }: AttendedBox, handles: ReadonlyMap<string, string>): Promise<Attention[]> {
  return (await overview.addedReceivers(clock.now() - receiversShownMs)).flatMap(({ accountId, at, by, receivers }) => {
    const account = handles.get(accountId)
    if (account === undefined) return []
    const found = `Since ${timestamp(at)}, what visitors of ${account} enter has gone somewhere new (${receivers.join('; ')}), as ${by} published.`
    return [{ kind: 'receivers', account, tone: 'doubtful', found }]
  })
}

/** As the service last saw the names. */
async function certificates(
  { certificates, config }: AttendedBox,
  { accounts, ofBox }: AttentionWanted,
): Promise<Attention[]> {
  if (config.https.mode !== 'auto') return []
  const holders = new Map(accounts.flatMap(({ handle, domains }) => domains.map((host) => [host, handle] as const)))
  return (await certificates.names()).flatMap(({ host, state, removedAt, certificate }) => {
    const account = holders.get(host) ?? null
    const isWell = removedAt !== null || state === 'active' || state === 'off'
    // The service takes a while to note that a domain was removed.
    const isServed = account !== null || (ofBox && ownHosts(config).some((own) => isOwnHost(own, host)))
    if (isWell || !isServed) return []
    const has = certificate === null ? 'has no certificate' : 'has a certificate that is not renewed'
    return [{ kind: 'certificate', account, tone: state === 'failing' ? 'bad' : 'doubtful', found: `${host} ${has}.` }]
  })
}

const hourMs = 3_600_000
const dayHours = 24
/** Fewer are an accident; more than three times as many as the day before are news. */
const risenMin = 10
const risenTimes = 3

async function refusals({ overview, clock }: AttendedBox, handles: ReadonlyMap<string, string>): Promise<Attention[]> {
  const hour = Math.floor(clock.now() / hourMs) - dayHours
  return (await overview.refusals(hour, dayHours)).flatMap(({ accountId, lately, before }) => {
    const account = handles.get(accountId)
    if (account === undefined || lately < risenMin || lately < risenTimes * before) return []
    const found = `${count(lately)} requests of ${account} were refused since yesterday; ${count(before)} in the day before.`
    return [{ kind: 'refusals', account, tone: 'doubtful', found }]
  })
}
