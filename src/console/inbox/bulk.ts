import type { StoredAccount } from '../../account/account.ts'
import { NotThere, OperatorError } from '../../lib/operator-error.ts'
import type { ActName } from '../../operations/act-words.ts'
import type { ErasureDone } from '../../operations/erasure/erase.ts'
import { refuseSubmission } from '../../operations/submission/refuse-submission.ts'
import { releaseSubmission } from '../../operations/submission/release-submission.ts'
import { removeSubmission, removeTogether } from '../../operations/submission/remove-submission.ts'
import type { Caller } from '../access/caller.ts'
import { doneBy, type NotedAct, note, noted } from '../audit/noted-act.ts'
import type { ConsoleBox } from '../console-box.ts'
import type { InboxState } from './inbox.ts'
import { setState } from './inbox-acts.ts'

export const bulkActions = ['done', 'new', 'refuse', 'release', 'remove'] as const
export type BulkAction = (typeof bulkActions)[number]

export const bulkIdsMax = 200

interface Asked {
  account: StoredAccount
  caller: Caller
  /** Of the client. */
  address: string
  ids: readonly string[]
}

/** What became of one submission. */
export interface BulkResult {
  id: string
  done: boolean
  /** Why not; `null`: it was done. */
  error: { code: 'not_found' | 'conflict'; message: string } | null
}

/** Does one thing to many submissions, each for itself, and writes each down in the audit log. */
export async function actOnMany(action: BulkAction | 'seen', asked: Asked, box: ConsoleBox): Promise<BulkResult[]> {
  const ids = [...new Set(asked.ids.map((id) => id.toLowerCase()))]
  if (action === 'remove') return (await removeMany({ ...asked, ids }, box)).results
  const results: BulkResult[] = []
  for (const id of ids) results.push(await resultOf(id, () => single[action](id, asked, box)))
  return results
}

const by = ({ caller }: Asked) => ({ caller, onNotice: () => {} })

type Single = (submission: string, asked: Asked, box: ConsoleBox) => Promise<unknown>

const state =
  (state: InboxState): Single =>
  (submission, asked, box) =>
    notedAs(setState.name, submission, { asked, box }, () =>
      setState.run(box, { account: asked.account.handle, submission, state }, by(asked)),
    )

const single: Record<Exclude<BulkAction, 'remove'> | 'seen', Single> = {
  done: state('done'),
  new: state('new'),
  seen: state('seen'),
  refuse: (submission, asked, box) =>
    notedAs(refuseSubmission.name, submission, { asked, box }, () =>
      refuseSubmission.run(box, { account: asked.account.handle, submission }, by(asked)),
    ),
  release: (submission, asked, box) =>
    notedAs(releaseSubmission.name, submission, { asked, box }, () =>
      releaseSubmission.run(box, { account: asked.account.handle, submission }, by(asked)),
    ),
}

/** All in one erasure, which clears the database's file once. */
export async function removeMany(
  asked: Asked,
  box: ConsoleBox,
): Promise<{ results: BulkResult[]; receipt: ErasureDone | null }> {
  const { account, ids } = asked
  const known: string[] = []
  for (const id of ids) if ((await box.submissions.find(account.id, id)) !== null) known.push(id)
  const receipt = known.length === 0 ? null : await removeKnown(known, asked, box)
  const gone = new Set(known)
  const results = ids.map(
    (id): BulkResult => (gone.has(id) ? { id, done: true, error: null } : { id, done: false, error: notThere }),
  )
  return { results, receipt }
}

async function removeKnown(ids: readonly string[], asked: Asked, box: ConsoleBox): Promise<ErasureDone> {
  const noteEach = async (outcome: 'done' | 'failed') => {
    for (const id of ids) await note(actOn(id, removeSubmission.name, asked), box, { outcome })
  }
  const { receipt } = await removeTogether(box, asked.account, ids).catch(async (error: unknown) => {
    // Some may be gone all the same.
    await noteEach('failed')
    throw error
  })
  await noteEach('done')
  return receipt
}

const notThere = { code: 'not_found', message: 'There is no such submission.' } as const

async function resultOf(id: string, act: () => Promise<unknown>): Promise<BulkResult> {
  try {
    await act()
    return { id, done: true, error: null }
  } catch (error) {
    if (error instanceof NotThere) return { id, done: false, error: notThere }
    if (error instanceof OperatorError) return { id, done: false, error: { code: 'conflict', message: error.message } }
    throw error
  }
}

const notedAs = <T extends object>(
  action: ActName,
  subject: string,
  { asked, box }: { asked: Asked; box: ConsoleBox },
  work: () => Promise<T>,
): Promise<T> => noted(actOn(subject, action, asked), box, { work, resultOf: () => ({}) })

const actOn = (subject: string, action: ActName, asked: Asked): NotedAct => ({
  action,
  accountId: asked.account.id,
  subject,
  by: doneBy(asked),
})
