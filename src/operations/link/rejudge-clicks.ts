import type { RejudgedClicks } from '../../processing/processing.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp } from '../record/catch-up.ts'
import type { OnRecordNotice } from '../record/record-notice.ts'

/** Applies the current verdict rules to the stored clicks of an account. @throws OperatorError when there is no account of that handle */
export async function rejudgeClicks(
  box: Pick<Box, 'accounts' | 'processing' | 'rejudging'>,
  handle: string,
  onNotice: OnRecordNotice,
): Promise<RejudgedClicks & { account: string }> {
  const account = await accountCaughtUp(box, handle, onNotice)
  const rejudging = await box.rejudging()
  return { account: account.handle, ...(await rejudging.rejudge(account.id)) }
}
