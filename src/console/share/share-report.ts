import { type Static, Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import { NotThere, OperatorError } from '../../lib/operator-error.ts'
import { text } from '../../lib/schema.ts'
import { accountNamed } from '../../operations/account/account-named.ts'
import { type Done, defineAct } from '../../operations/act.ts'
import { daysOf, periodOf, type TypedPeriod, typedPeriod } from '../../report/report-period.ts'
import { type Caller, lastsUntil, makerOf } from '../access/caller.ts'
import type { ConsoleBox } from '../console-box.ts'
import { newShareId, type ReportShare, shareToken } from './report-share.ts'

const dayMs = 86_400_000
export const shareDaysMax = 400
export const shareDaysDefault = 30
/** The most links of one account that are valid at the same time. */
const sharesMax = 100

type SharingBox = Pick<ConsoleBox, 'accounts' | 'shares' | 'signingKeys' | 'clock' | 'address'>

export const shareSchema = Type.Object({
  id: text,
  link: text,
  /** As written. */
  period: Type.Unsafe<TypedPeriod>(typedPeriod),
  createdAt: text,
  expiresAt: text,
})

/** A share as the API shows it. */
export type ShareJson = Static<typeof shareSchema>

/** A period written with an age (`since: "30d"`) moves with the date. A token's link expires with the token or before. */
export const shareReport = defineAct({
  name: 'report.share',
  text: 'Make a link that shows anybody the figures of a period',
  of: 'account',
  scope: 'publish',
  input: Type.Object({
    ...typedPeriod.properties,
    expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: shareDaysMax, default: shareDaysDefault })),
  }),
  answer: shareSchema,
  async run(
    box: SharingBox,
    { account, expiresInDays: days = shareDaysDefault, since, until, month },
    { caller }: { caller: Caller },
  ): Promise<Done<ShareJson>> {
    const now = box.clock.now()
    const {
      id: accountId,
      settings: { timezone },
    } = await accountNamed(box.accounts, account)
    const period = { since, until, month }
    daysOf(periodOf(period, now), timezone)
    if ((await box.shares.working(accountId, now)).length >= sharesMax) {
      throw new OperatorError(`The account already has ${sharesMax} links to reports. Revoke one first.`)
    }
    const expiresAt = Math.floor(Math.min(now + days * dayMs, lastsUntil(caller)) / 1000) * 1000
    const { makerTokenId } = makerOf(caller)
    const share = { id: newShareId(), accountId, period, createdAt: now, expiresAt, revokedAt: null, makerTokenId }
    const answer = shareJson(share, await linkBase(box))
    await box.shares.add(share)
    return { answer, subject: share.id }
  },
})

export const unshareReport = defineAct({
  name: 'report.unshare',
  text: 'Revoke a link to a report at once',
  of: 'account',
  scope: 'publish',
  input: Type.Object({ share: text }),
  answer: Type.Object({ id: text, revoked: Type.Literal(true) }),
  subject: ({ share }) => share,
  async run({ accounts, shares, clock }: SharingBox, { account, share: id }) {
    if (!(await shares.revoke((await accountNamed(accounts, account)).id, id, clock.now())))
      throw new NotThere('There is no such link.')
    return { answer: { id, revoked: true as const } }
  },
})

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
