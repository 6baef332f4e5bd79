import type { AccountSettings, StoredAccount } from '../../account/account.ts'
import type { AccountSummary, ContentCounts } from '../../account/account-store.ts'
import type { Form } from '../../account/form.ts'
import { instantOrNull } from '../../lib/instant.ts'
import { revisionOf } from '../../lib/revision.ts'
import type { Box } from '../box.ts'
import { accountNamed } from './account-named.ts'
import { type ShownDestination, shownDestination } from './shown-destination.ts'

/** The applied settings of an account and the number of its records, without secrets. */
export interface ShownAccount {
  handle: string
  id: string
  settings: ShownSettings
  /** The valid keys, latest first. */
  trackingKeys: {
    /** Epoch milliseconds; `null`: until it is replaced. */
    validUntil: number | null
  }[]
  forms: Pick<Form, 'id' | 'name' | 'version' | 'registered'>[]
  /** Where its submissions and reports are sent; addresses that are secrets stand as their host. */
  destinations: ShownDestination[]
  holds: ContentCounts
}

interface ShownSettings extends Omit<AccountSettings, 'botCheck'> {
  botCheck: Omit<AccountSettings['botCheck'], 'secret'> & { hasSecret: boolean }
}

/** @throws OperatorError when there is no account of that handle */
export async function showAccount(
  { accounts, clock, deliveries }: Pick<Box, 'accounts' | 'clock' | 'deliveries'>,
  handle: string,
): Promise<ShownAccount> {
  const account = await accountNamed(accounts, handle)
  const { secret, ...botCheck } = account.settings.botCheck
  return {
    handle: account.handle,
    id: account.id,
    settings: { ...account.settings, botCheck: { ...botCheck, hasSecret: secret !== '' } },
    trackingKeys: keysInForce(account, clock.now()).map(({ validUntil }) => ({ validUntil })),
    forms: account.forms.map(({ id, name, version, registered }) => ({ id, name, version, registered })),
    destinations: (await deliveries.destinations(account.id)).map(shownDestination),
    holds: await accounts.countsOf(account.id),
  }
}

/** Changes with whatever is configured, not with records. Without secrets, which nobody is to try out on it. */
export const accountRevision = (account: StoredAccount): string =>
  revisionOf(JSON.stringify(account, (name, value: unknown) => (name === 'secret' ? undefined : value)))

const keysInForce = ({ trackingKeys }: StoredAccount, now: number) =>
  trackingKeys.filter(
    ({ fingerprint, validUntil }) => fingerprint !== null && (validUntil === null || now < validUntil),
  )

/** An account as a list shows it. */
interface ListedAccount {
  /** Its handle. */
  account: string
  name: string
  domains: string[]
  forms: number
  /** Whether tracking is on. */
  tracking: boolean
}

/** The accounts of the box, or those that are wanted, in order of their handles. */
export async function listAccounts(
  { accounts }: Pick<Box, 'accounts'>,
  isWanted: (account: AccountSummary) => boolean = () => true,
): Promise<ListedAccount[]> {
  const wanted = (await accounts.list()).filter(isWanted)
  const found = await Promise.all(wanted.map(({ handle }) => accounts.find(handle)))
  return found
    .filter((account) => account !== null)
    .map(({ handle, settings, forms }) => ({
      account: handle,
      name: settings.name,
      domains: settings.domains,
      forms: forms.length,
      tracking: settings.tracking.enabled,
    }))
}

/** As `account show --json` and the API show it. */
export const shownAccountJson = ({ handle, id, settings, trackingKeys, forms, destinations, holds }: ShownAccount) => ({
  account: handle,
  id,
  settings,
  trackingKeys: trackingKeys.map(({ validUntil }) => ({
    validUntil: instantOrNull(validUntil),
  })),
  forms,
  ...(destinations.length > 0 && { deliveries: destinations }),
  holds,
})
