import type { AccountStore } from '../../account/account-store.ts'
import { otherBoxNotice } from '../../operations/data-folder/other-box.ts'
import { noteConfiguration, otherBoxes, type Whereabouts } from '../../storage/filesystem/other-boxes.ts'

/**
 * Called by what fills a box or serves from it. Where the configuration most likely names the wrong folder, `warn` is told.
 * The folder remembers its configuration, so that the next misspelling is noticed.
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
