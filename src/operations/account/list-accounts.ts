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

/** The accounts of the box, in order of their handles. */
export async function listAccounts({ accounts }: Pick<Box, 'accounts'>): Promise<ListedAccount[]> {
  const found = await Promise.all((await accounts.list()).map(({ handle }) => accounts.find(handle)))
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
