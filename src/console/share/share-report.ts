import type { StoredAccount } from '../../account/account.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { daysOf, periodOf, type TypedPeriod } from '../../report/report-period.ts'
import { type Caller, lastsUntil, makerOf } from '../access/caller.ts'
import type { ConsoleBox } from '../console-box.ts'
import { newShareId, type ReportShare, shareToken } from './report-share.ts'

const dayMs = 86_400_000
export const shareDaysMax = 400
export const shareDaysDefault = 30
/** The most links of one account that are valid at the same time. */
const sharesMax = 100

type SharingBox = Pick<ConsoleBox, 'shares' | 'signingKeys' | 'clock' | 'address'>

/** A share as the API shows it. */
export interface ShareJson {
  id: string
  link: string
  /** The period as written. */
  period: TypedPeriod
  createdAt: string
  expiresAt: string
}

/**
 * Makes a link to the account's report of a period. A period written with an age (`since: "30d"`) moves with the date. A token's link
 * expires with the token or before.
 *
 * @throws TypedPeriodFault, PeriodFault; OperatorError when the account has too many links, or the console is closed
 */
export async function shareReport(
  box: SharingBox,
  { id: accountId, settings: { timezone } }: StoredAccount,
  { period, days, by }: { period: TypedPeriod; days: number; by: Caller },
): Promise<ShareJson> {
  const now = box.clock.now()
  daysOf(periodOf(period, now), timezone)
  if ((await box.shares.working(accountId, now)).length >= sharesMax) {
    throw new OperatorError(`The account already has ${sharesMax} links to reports. Revoke one first.`)
  }
  const expiresAt = Math.floor(Math.min(now + days * dayMs, lastsUntil(by)) / 1000) * 1000
  const { makerTokenId } = makerOf(by)
  const share = { id: newShareId(), accountId, period, createdAt: now, expiresAt, revokedAt: null, makerTokenId }
  const json = shareJson(share, await linkBase(box))
  await box.shares.add(share)
  return json
}

/** The account's valid links, latest first. */
export async function listShares(box: SharingBox, { id }: Pick<StoredAccount, 'id'>): Promise<ShareJson[]> {
  const shares = await box.shares.working(id, box.clock.now())
  const base = await linkBase(box)
  return shares.map((share) => shareJson(share, base))
}

/** The start of links, and the keys that sign them. */
const linkBase = async (box: Pick<SharingBox, 'signingKeys' | 'address'>) => ({
  keys: await box.signingKeys.read(),
  address: box.address(),
})

const shareJson = (
  { id, period, createdAt, expiresAt }: ReportShare,
  { keys, address }: Awaited<ReturnType<typeof linkBase>>,
): ShareJson => ({
  id,
  link: `${address}/r/${shareToken({ id, expiresAtSeconds: expiresAt / 1000 }, keys)}`,
  period,
  createdAt: new Date(createdAt).toISOString(),
  expiresAt: new Date(expiresAt).toISOString(),
})
