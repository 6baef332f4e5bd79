import { type Static, Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import { type SigningKeys, signingKeyIdPattern } from '../../account/signing-key.ts'
import { NotThere, OperatorError } from '../../lib/operator-error.ts'
import { text } from '../../lib/schema.ts'
import { newSecret, sign, verifies } from '../../lib/sign.ts'
import { accountNamed } from '../../operations/account/account-named.ts'
import { type Done, defineAct } from '../../operations/act.ts'
import type { Box } from '../../operations/box.ts'
import { typedPeriod } from '../../operations/report/read-report.ts'
import { daysOf, periodOf, type TypedPeriod } from '../../report/report-period.ts'
import { type Caller, lastsUntil, makerOf } from '../access/caller.ts'

/** A link that shows anybody the figures of one report without signing in. */
export interface ReportShare {
  /** 32 hexadecimal digits; see `shareToken`. */
  id: string
  accountId: string
  /** The period as written: an age counts from the day on which somebody opens the link. */
  period: TypedPeriod
  /** Epoch milliseconds, like the other instants. */
  createdAt: number
  expiresAt: number
  /** `null`: the link is valid until it expires. */
  revokedAt: number | null
  /** The link ends with that token; `null`: a user made it. */
  makerTokenId: string | null
}

/** The links. Removing an account deletes its links. */
export interface ReportShares {
  add(share: ReportShare): Promise<void>
  /** `null`: there is no such link, or its account was removed. */
  find(id: string): Promise<ReportShare | null>
  /** The account's links that are valid at the instant, latest first. */
  working(accountId: string, now: number): Promise<ReportShare[]>
  /** Revokes a link of the account at once; `false`: the account has no such valid link. */
  revoke(accountId: string, id: string, now: number): Promise<boolean>
  /** Deletes links that have expired by then or were revoked. */
  eraseOver(now: number): Promise<void>
}

const idBytes = 16
const tokenPattern = new RegExp(
  `^(${signingKeyIdPattern})\\.([0-9a-f]{${idBytes * 2}})\\.([0-9a-z]{1,9})\\.([\\w-]{43})$`,
)

/** The content of a link to a shared report: the share's id and its expiry. */
interface ShareClaim {
  id: string
  /** Epoch seconds. */
  expiresAtSeconds: number
}

export const newShareId = (): string => Buffer.from(newSecret(idBytes)).toString('hex')

/** The text of a link: key, share and expiry in plain text, and their MAC by the box's `share` key. */
export function shareToken({ id, expiresAtSeconds }: ShareClaim, keys: SigningKeys): string {
  const key = keys.current('share')
  const expiry = expiresAtSeconds.toString(36)
  return `${key.id}.${id}.${expiry}.${sign(key.secret, signedText(id, expiry))}`
}

/** `null`: not signed by this box, changed, or expired. This is decided without asking storage. */
export function verifiedShare(token: string, keys: SigningKeys, now: number): ShareClaim | null {
  const [, keyId = '', id = '', expiry = '', mac = ''] = tokenPattern.exec(token) ?? []
  const key = keys.verifying('share', keyId, { accountId: null, now })
  if (key === null || !verifies(key.secret, signedText(id, expiry), mac)) return null
  const expiresAtSeconds = Number.parseInt(expiry, 36)
  return now < expiresAtSeconds * 1000 ? { id, expiresAtSeconds } : null
}

const signedText = (id: string, expiry: string): string => `share.v1 ${id} ${expiry}`

const dayMs = 86_400_000
export const shareDaysMax = 400
export const shareDaysDefault = 30
/** The most links of one account that are valid at the same time. */
const sharesMax = 100

interface SharingBox extends Pick<Box, 'accounts' | 'signingKeys' | 'clock'> {
  shares: ReportShares
  /** The start of the console's addresses. */
  address(): string
}

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
