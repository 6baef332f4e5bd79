import { Type } from '@sinclair/typebox'
import type { DeliveryPage, DeliveryQuery, ListedDelivery, ShownDelivery } from '../../delivery/delivery-control.ts'
import { noMailServer } from '../../delivery/mail/mail-server.ts'
import { instant, instantOrNull } from '../../lib/instant.ts'
import { NotThere, UnfitInput } from '../../lib/operator-error.ts'
import { count, text, texts } from '../../lib/schema.ts'
import { accountNamed } from '../account/account-named.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp, type OnRecordNotice } from '../record/catch-up.ts'
import { pageInTime } from '../record/page-in-time.ts'
import { destinationNamed, obstacleTo } from './destinations.ts'

type ListingBox = Pick<Box, 'accounts' | 'processing' | 'deliveries'>

interface DeliveriesWanted {
  account: string
  failedOnly: boolean
  /** `null`: all of them. */
  limit: number | null
}

/** Read at once, so that a list of any length takes no more memory than this. */
const pageRows = 1000

/**
 * The deliveries of an account, the latest first, page by page.
 *
 * @throws OperatorError when there is no such account
 */
export async function* listDeliveries(
  box: ListingBox,
  { account: handle, failedOnly, limit }: DeliveriesWanted,
  onNotice: OnRecordNotice,
): AsyncGenerator<ListedDelivery[]> {
  const { id: accountId } = await accountCaughtUp(box, handle, onNotice)
  const query = { accountId, state: failedOnly ? ('failed' as const) : null, q: null }
  let left = limit ?? Number.POSITIVE_INFINITY
  for (let behind: string | null = null; left > 0; ) {
    const page: DeliveryPage = await box.deliveries.list({ ...query, limit: Math.min(left, pageRows), behind })
    if (page.deliveries.length > 0) yield page.deliveries
    if (page.next === null) return
    left -= page.deliveries.length
    behind = page.next
  }
}

interface DeliveryPageWanted extends Omit<DeliveryQuery, 'accountId'> {
  account: string
}

/** One page of them. @throws OperatorError when there is no such account */
export async function pageOfDeliveries(
  box: ListingBox & Pick<Box, 'clock'>,
  { account: handle, ...query }: DeliveryPageWanted,
  onNotice: OnRecordNotice,
): Promise<DeliveryPage> {
  const { id: accountId } = await accountCaughtUp(box, handle, onNotice)
  const { found, next } = await pageInTime(query, box.clock, async (behind, limit) => {
    const part = await box.deliveries.list({ ...query, behind, limit, accountId })
    return { found: part.deliveries, next: part.next }
  })
  return { deliveries: found, next }
}

/** One delivery with its exchanges. @throws NotThere when there is no such account or delivery */
export async function showDelivery(
  { accounts, deliveries }: Pick<Box, 'accounts' | 'deliveries'>,
  { account: handle, id }: { account: string; id: string },
): Promise<ShownDelivery> {
  const account = await accountNamed(accounts, handle)
  const found = await deliveries.find(account.id, id)
  if (found !== null) return found
  throw new NotThere(
    `The account "${handle}" has no delivery ${id}. \`capture delivery list ${handle}\` shows the ids.`,
  )
}

/** Makes deliveries due at once. `isServed`: whether a service runs, which alone sends; `paused`: where nothing is sent until it is resumed. */
export const retryDeliveries = defineAct({
  name: 'delivery.retry',
  text: 'Try deliveries again: all that wait or have failed, those of one destination, or only failed ones',
  of: 'account',
  scope: 'admin',
  input: Type.Object({
    delivery: Type.Optional(text),
    destination: Type.Optional(Type.String({ maxLength: 60 })),
    failed: Type.Boolean({ default: false }),
  }),
  answer: Type.Object({ account: text, retried: count, paused: texts }),
  subject: ({ account, delivery, destination }) => delivery ?? destination ?? account,
  async run(
    box: Pick<Box, 'accounts' | 'deliveries' | 'clock' | 'isServed'>,
    { account: handle, delivery: id, destination, failed },
  ) {
    if (destination !== undefined && failed)
      throw new UnfitInput('The parameters "destination" and "failed" exclude each other.')
    const { accounts, deliveries, clock } = box
    const account = await accountNamed(accounts, handle)
    const only = id === undefined ? destination : (await showDelivery(box, { account: handle, id })).destination
    if (destination !== undefined) destinationNamed(account, destination)
    const some = destination === undefined ? (failed ? ('failed' as const) : ('all' as const)) : { destination }
    const retried = await deliveries.retry(account.id, id === undefined ? some : { id }, clock.now())
    const paused = (await deliveries.destinations(account.id))
      .filter(({ pause, destination: { name } }) => pause !== null && (only === undefined || name === only))
      .map(({ destination: { name } }) => name)
    return { answer: { account: handle, retried, paused }, isServed: box.isServed() }
  },
})

/** A row of `delivery list --json` (docs/deliveries.md). */
export const deliveryJson = (row: ListedDelivery) => ({
  id: row.id,
  destination: row.destination,
  kind: row.kind,
  submissionId: row.submissionId,
  state: row.state,
  paused: row.paused,
  attempts: row.attempts,
  createdAt: instant(row.createdAt),
  nextAt: instantOrNull(row.nextAt),
  lastStatus: row.lastStatus,
  lastError: row.lastError,
})

export type DeliveryJson = ReturnType<typeof deliveryJson>

/** Why a delivery has not got through, as far as that still holds: the box may send mail since its last try. */
export function errorNow({ kind, state, lastError }: DeliveryJson, { config }: Pick<Box, 'config'>): string | null {
  const obstacle = obstacleTo({ kind }, config)
  return lastError === noMailServer || (state === 'waiting' && obstacle !== null) ? obstacle : lastError
}

/** The same with every exchange that is kept, as `delivery show --json` has it. */
export const shownDeliveryJson = ({ exchanges, ...row }: ShownDelivery) => ({
  ...deliveryJson(row),
  exchanges: exchanges.map(({ at, ...exchange }) => ({ ...exchange, at: instant(at) })),
})

export type ShownDeliveryJson = ReturnType<typeof shownDeliveryJson>
