import { Type } from '@sinclair/typebox'
import { type ContentCounts, ofContents } from '../../account/account-store.ts'
import { assertKnown, type KnownRevisions } from '../../lib/revision.ts'
import { count, flag, text, texts } from '../../lib/schema.ts'
import { collect } from '../../site/collect.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { accountNamed } from './account-named.ts'
import { accountRevision } from './show-account.ts'

/** An account, and the number of its records that a removal deletes. */
export interface AccountContents extends ContentCounts {
  /** Its handle. */
  account: string
  domains: string[]
}

type RemovingBox = Pick<Box, 'accounts' | 'sites' | 'assets' | 'clock'>

/** By then a running server has seen the removal (within one second) and committed its pending records. */
const noticedMs = 1500

/** Counts what `removeAccount` would delete, of its records `recordsMax` at most. @throws OperatorError when there is no account of that handle */
export async function accountContents(
  { accounts }: Pick<Box, 'accounts'>,
  named: string,
  recordsMax?: number,
): Promise<AccountContents> {
  const { id, handle, settings } = await accountNamed(accounts, named)
  return { account: handle, domains: settings.domains, ...(await accounts.countsOf(id, recordsMax)) }
}

/** Removes an account with everything it holds. A second call finishes an interrupted removal. */
export const removeAccount = defineAct({
  name: 'account.remove',
  text: 'Remove an account with all its data',
  of: 'account',
  scope: 'admin',
  ownersOnly: true,
  asksAgain: true,
  input: Type.Object({}),
  answer: Type.Object({
    account: text,
    removed: flag,
    domains: texts,
    ...ofContents(() => count),
  }),
  /** `isFinished`: it finished a removal, so the counts are unknown; `uncollected`: why unreferenced bytes could not be deleted. */
  async run(box: RemovingBox, { account: handle, known = null }) {
    if ((await box.accounts.find(handle)) === null) {
      const finished = await finishRemovals(box)
      if (finished !== null)
        return removed({ account: handle, domains: [], ...ofContents(() => 0) }, { isFinished: true, ...finished })
    }
    const { id } = await accountNamed(box.accounts, handle)
    const contents = await accountContents(box, handle)
    const uncollected = await remove(box, { id, handle: contents.account, known })
    return removed(contents, { isFinished: false, uncollected })
  },
})

const removed = (contents: AccountContents, how: { isFinished: boolean; uncollected: string | null }) => ({
  answer: removedAccountJson(contents, true),
  // The domains that it let go.
  change: { before: { domains: [...contents.domains] }, after: null },
  ...how,
})

/** Runs under the publish lock, so that it never collects bytes that a publish has just stored. */
const remove = (
  box: RemovingBox,
  { id, handle, known }: { id: string; handle: string; known: KnownRevisions },
): Promise<string | null> =>
  box.sites.exclusively(`capture account remove ${handle}`, async () => {
    const revision = accountRevision(await accountNamed(box.accounts, handle))
    assertKnown(known, revision, `Somebody has changed ${handle} since you looked at it. Look at it again.`)
    await box.accounts.remove(id)
    await Bun.sleep(noticedMs)
    // Deletes records that the server stored meanwhile, and bytes that no other account has published.
    await box.accounts.finishRemovals()
    return messageOf(await collect(box))
  })

/** Finishes a removal that was interrupted after the handle was freed. `null`: there is none. */
const finishRemovals = (box: RemovingBox): Promise<{ uncollected: string | null } | null> =>
  box.sites.exclusively('capture account remove', async () => {
    if ((await box.accounts.finishRemovals()) === 0) return null
    return { uncollected: messageOf(await collect(box)) }
  })

const messageOf = (error: Error | null): string | null => error?.message ?? null

/** As `account remove --json` and the API show it. @param removed whether it is gone, or would only go */
export const removedAccountJson = ({ account, ...contents }: AccountContents, removed: boolean) => ({
  account,
  removed,
  ...contents,
})
