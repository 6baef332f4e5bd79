import type { PersonList, PersonListQuery } from '../../report/person-reader.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { catchUp } from '../record/catch-up.ts'
import type { OnRecordNotice } from '../record/record-notice.ts'

/** The persons of an account, the latest known first. @throws OperatorError when there is no account of that handle */
export async function listPersons(
  box: Pick<Box, 'accounts' | 'processing' | 'persons'>,
  { account: handle, ...query }: Omit<PersonListQuery, 'accountId'> & { account: string },
  onNotice: OnRecordNotice,
): Promise<PersonList> {
  const account = await accountNamed(box.accounts, handle)
  await catchUp(box.processing, onNotice)
  return box.persons.latest({ ...query, accountId: account.id })
}
