import type { StoredAccount } from '../../account/account.ts'
import type { AccountStore } from '../../account/account-store.ts'
import { NotThere } from '../../lib/operator-error.ts'
import { nearest } from '../../lib/suggestion.ts'

/** Limits the handles that an error message lists. A box may have thousands. */
const listedHandlesMax = 20

/** The account with that handle. @throws NotThere that suggests a similar handle */
export async function accountNamed(
  accounts: Pick<AccountStore, 'find' | 'list'>,
  handle: string,
): Promise<StoredAccount> {
  const account = await accounts.find(handle)
  if (account) return account
  const handles = (await accounts.list()).map((summary) => summary.handle)
  throw new NotThere(`There is no account "${handle}" on this box. ${advice(handle, handles)}`)
}

function advice(handle: string, handles: string[]): string {
  if (handles.length === 0) return 'It has none yet: `capture apply DIR` publishes one.'
  const meant = nearest(handle, handles)
  if (meant !== null) return `Did you mean "${meant}"?`
  const more = handles.length > listedHandlesMax ? ', …' : ''
  return `It holds: ${handles.slice(0, listedHandlesMax).join(', ')}${more}.`
}
