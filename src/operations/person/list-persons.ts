import type { PersonList, PersonListQuery } from '../../report/person-reader.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp } from '../record/catch-up.ts'
import { pageInTime } from '../record/page-in-time.ts'
import type { OnRecordNotice } from '../record/record-notice.ts'

/** The persons of an account, the latest known first. @throws OperatorError when there is no account of that handle */
export async function listPersons(
  box: Pick<Box, 'accounts' | 'processing' | 'persons' | 'clock'>,
  { account: handle, ...query }: Omit<PersonListQuery, 'accountId'> & { account: string },
  onNotice: OnRecordNotice,
): Promise<PersonList> {
  const account = await accountCaughtUp(box, handle, onNotice)
  const { found, next } = await pageInTime(query, box.clock, async (behind, limit) => {
    const part = await box.persons.latest({ ...query, behind, limit, accountId: account.id })
    return { found: part.persons, next: part.next }
  })
  return { persons: found, next }
}
