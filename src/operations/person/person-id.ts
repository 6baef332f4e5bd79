import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import type { PersonNamed } from './erase-person.ts'

/** By which the audit log names a person; `''`: nobody is known by the address. @throws OperatorError */
export async function personId(
  { accounts, persons }: Pick<Box, 'accounts' | 'persons'>,
  { account: handle, email }: PersonNamed,
): Promise<string> {
  const account = await accountNamed(accounts, handle)
  return (await persons.named(account.id, email))?.id ?? ''
}
