import { join } from 'node:path'
import { type ASite, aForm, aSite, writeSite } from '../../harness/a-site.ts'
import { eventually } from '../../harness/eventually.ts'
import { BinaryBox, type BoxOptions } from './binary-box.ts'

/** A row of `delivery list --json`. */
export interface DeliveryRow {
  id: string
  destination: string
  kind: string
  submissionId: string | null
  state: 'waiting' | 'delivered' | 'failed'
  paused: boolean
  attempts: number
  createdAt: string
  nextAt: string | null
  lastStatus: number | null
  lastError: string | null
}

/** Receivers of tests are on loopback, which an operator has to allow. */
export const loopbackAllowed = { allow_private: ['127.0.0.0/8'] }

export const deliveryBox = (options: BoxOptions = {}): Promise<BinaryBox> =>
  BinaryBox.make({ delivery: loopbackAllowed, ...options })

type ADelivery = NonNullable<ASite['deliveries']>[number]

export const aWebhook = (url: string, overrides: Partial<ADelivery> = {}): ADelivery => ({
  name: 'crm',
  kind: 'webhook',
  url,
  ...overrides,
})

/** Applies a site with these deliveries; answers the secrets that were minted, by the delivery's name. */
export async function applyDeliveries(
  box: BinaryBox,
  deliveries: ADelivery[],
  overrides: Partial<ASite> = {},
): Promise<Record<string, string>> {
  const site = aSite({ forms: [aForm()], deliveries, ...overrides })
  const folder = join(box.dir, 'sites', site.account)
  writeSite(folder, site)
  const { deliverySecrets = [] } = JSON.parse(await box.done(['apply', folder, '--accept', 'all', '--json'])) as {
    deliverySecrets?: { name: string; secret: string }[]
  }
  return Object.fromEntries(deliverySecrets.map(({ name, secret }) => [name, secret]))
}

export const deliveriesOf = async (box: BinaryBox, account = 'acme'): Promise<DeliveryRow[]> =>
  JSON.parse(await box.done(['delivery', 'list', account, '--json'])) as DeliveryRow[]

/** Waits until the account's deliveries are as wanted. */
export const deliveriesBecome = (
  box: BinaryBox,
  what: string,
  holds: (rows: DeliveryRow[]) => boolean,
): Promise<DeliveryRow[]> => rowsBecome(() => deliveriesOf(box), what, holds)

export async function rowsBecome(
  listed: () => Promise<DeliveryRow[]>,
  what: string,
  holds: (rows: DeliveryRow[]) => boolean,
): Promise<DeliveryRow[]> {
  let rows: DeliveryRow[] = []
  await eventually(what, async () => {
    rows = await listed()
    return holds(rows)
  })
  return rows
}
