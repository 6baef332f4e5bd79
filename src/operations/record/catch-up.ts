import type { StoredAccount } from '../../account/account.ts'
import type { AccountStore } from '../../account/account-store.ts'
import { plural } from '../../lib/quantities.ts'
import type { Processing } from '../../processing/processing.ts'
import { accountNamed } from '../account/account-named.ts'

/** A notice that the result of an operation is incomplete, and why. */
export type RecordNotice =
  /** The number of recent records that still wait for processing. */
  | { kind: 'waiting'; records: number }
  /** Recent records could not be processed. The reason contains no captured data. */
  | { kind: 'unprocessed'; reason: string }

export type OnRecordNotice = (notice: RecordNotice) => void

/** What a result lacks, in a sentence. */
export const noticeWords = (notice: RecordNotice): string =>
  notice.kind === 'waiting'
    ? `${plural(notice.records, 'recent record')} ${notice.records === 1 ? 'is' : 'are'} still being processed and not included.`
    : `The latest records could not be processed (${notice.reason}). \`capture doctor\` says more.`

/** Limits how long an operation processes waiting records before it continues without the rest. */
const catchUpMsMax = 3000

/**
 * Processes waiting records, so that results are current with or without a running server. If it fails or runs out of time,
 * it reports that, and reading continues.
 */
export async function catchUp(processing: Pick<Processing, 'catchUp'>, onNotice: OnRecordNotice): Promise<void> {
  const waiting = (await leftWaiting(processing, onNotice)) ?? 0
  if (waiting > 0) onNotice({ kind: 'waiting', records: waiting })
}

/** The account of that handle, once waiting records are processed. @throws NotThere when there is none */
export async function accountCaughtUp(
  box: { accounts: Pick<AccountStore, 'find' | 'list'>; processing: Pick<Processing, 'catchUp'> },
  handle: string,
  onNotice: OnRecordNotice,
): Promise<StoredAccount> {
  const account = await accountNamed(box.accounts, handle)
  await catchUp(box.processing, onNotice)
  return account
}

/** As `catchUp`, for results that include the number of waiting records. */
export const caughtUp = async (
  processing: Pick<Processing, 'catchUp' | 'state'>,
  onNotice: OnRecordNotice,
): Promise<number> => (await leftWaiting(processing, onNotice)) ?? (await processing.state()).waiting

/** `null`: processing failed, which was reported. */
async function leftWaiting(processing: Pick<Processing, 'catchUp'>, onNotice: OnRecordNotice): Promise<number | null> {
  try {
    return await processing.catchUp(catchUpMsMax)
  } catch (error) {
    onNotice({ kind: 'unprocessed', reason: error instanceof Error ? error.message : 'unknown' })
    return null
  }
}
