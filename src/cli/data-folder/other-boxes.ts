import type { AccountStore } from '../../account/account-store.ts'
import { otherBoxNotice } from '../../operations/data-folder/other-box.ts'
import { noteConfiguration, otherBoxes, type Whereabouts } from '../../storage/filesystem/other-boxes.ts'

/**
 * Call it before filling a box or serving from it. Warns if the configuration probably names the wrong folder, and records the
 * configuration in the folder, so that the next misspelling is noticed.
 */
export async function noticeOtherBox(
  accounts: Pick<AccountStore, 'list'>,
  where: Whereabouts,
  warn: (message: string) => void,
): Promise<void> {
  const notice = await otherBoxNotice(accounts, { ...where, otherBoxes: () => otherBoxes(where) })
  if (notice !== null) warn(notice)
  noteConfiguration(where)
}
