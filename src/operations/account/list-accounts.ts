import type { AccountSummary } from '../../account/account-store.ts'
import type { Box } from '../box.ts'

/** An account as a list shows it. */
export interface ListedAccount {
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
