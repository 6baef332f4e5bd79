import type { RemovalCounts } from '../../account/account-store.ts'
import { collect } from '../../site/collect.ts'
import type { Box } from '../box.ts'
import { accountNamed } from './account-named.ts'

/** An account with what goes with it. */
export interface AccountContents extends RemovalCounts {
  /** Its handle. */
  account: string
  domains: string[]
}

export interface RemovedAccount extends AccountContents {
  /** The removal was begun before: what it had left is gone now, and nobody knows how much the account held. */
  isFinished: boolean
  /** Why bytes that nothing names any more still take room; `null`: none do. */
  uncollected: string | null
}

type RemovingBox = Pick<Box, 'accounts' | 'sites' | 'assets' | 'clock'>

/** A running server has noticed by then (contract section 1: within one second), and has written what it still held. */
const noticedMs = 1500

const nothing: RemovalCounts = { pages: 0, images: 0, files: 0, forms: 0, records: 0 }

/** What `removeAccount` would take. @throws OperatorError when there is no account of that handle */
export async function accountContents(
  { accounts }: Pick<Box, 'accounts'>,
  named: string,
): Promise<AccountContents & { id: string }> {
  const { id, handle, settings } = await accountNamed(accounts, named)
  return { id, account: handle, domains: settings.domains, ...(await accounts.countsOf(id)) }
}

/**
 * Removes an account with everything it holds. An interrupted removal is finished by a second call.
 *
 * @throws OperatorError when there is no account of that handle, and no removal to finish
 */
export async function removeAccount(box: RemovingBox, handle: string): Promise<RemovedAccount> {
  if ((await box.accounts.find(handle)) === null) {
    const finished = await finishRemovals(box)
    if (finished !== null) return { account: handle, domains: [], ...nothing, isFinished: true, ...finished }
  }
  const { id, ...contents } = await accountContents(box, handle)
  const uncollected = await remove(box, { id, handle: contents.account })
  return { ...contents, isFinished: false, uncollected }
}

/** While nobody publishes, so that no bytes are collected that a publish has just stored. */
const remove = (box: RemovingBox, { id, handle }: { id: string; handle: string }): Promise<string | null> =>
  box.sites.exclusively(`capture account remove ${handle}`, async () => {
    await box.accounts.remove(id)
    await Bun.sleep(noticedMs)
    // What the server stored for it meanwhile, and the bytes that only it had published.
    await box.accounts.finishRemovals()
    return messageOf(await collect(box))
  })

/** The removal of an account that is no longer found by its handle was interrupted: this ends it. `null`: there is none. */
const finishRemovals = (box: RemovingBox): Promise<{ uncollected: string | null } | null> =>
  box.sites.exclusively('capture account remove', async () => {
    if ((await box.accounts.finishRemovals()) === 0) return null
    return { uncollected: messageOf(await collect(box)) }
  })

const messageOf = (error: Error | null): string | null => error?.message ?? null
