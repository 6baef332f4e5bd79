import { type Static, Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../../account/account.ts'
import type { NotedResult } from '../../../operations/act.ts'
import { appliedDone, applyAct } from '../../../operations/apply/apply-act.ts'
import { type AppliedUpload, applyUpload, knownContents } from '../../../operations/upload/apply-upload.ts'
import { callerKey } from '../../access/caller.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { publishingAs } from '../../publisher.ts'
import { ApiError, type ApiErrorCode } from '../api-error.ts'
import { type ApiCall, accountEndpoint, boxEndpoint, jsonAnswer } from '../endpoint.ts'
import { once } from '../idempotent-call.ts'
import { tellingFaults } from './folder-errors.ts'
import { folderTypes, receiveFolder } from './received-folder.ts'

const query = Type.Object({
  /** Says what would change, and changes nothing. */
  dryRun: Type.Boolean({ default: false }),
  /** Removes what the folder no longer holds. */
  prune: Type.Boolean({ default: false }),
  /** Adds what the command prints beside its JSON: `left`, `warnings`, `skipped`, and of each change its `notes`. */
  details: Type.Boolean({ default: false }),
})

type Query = Static<typeof query>

const shared = {
  method: 'POST',
  scope: applyAct.scope,
  audited: ({ dryRun }: Query) => (dryRun ? null : applyAct.name),
  query,
  takes: folderTypes,
  answer: applyAct.answer,
} as const

export const applyFolderEndpoint = accountEndpoint({
  ...shared,
  path: '/accounts/:account/apply',
  summary: 'Publish a site folder: all of it or nothing',
  run: (call, box) => applied(call, box, call.account),
})

export const applyNewFolderEndpoint = boxEndpoint({
  ...shared,
  path: '/accounts/apply',
  summary: 'Make a new account of a site folder',
  run: (call, box) => applied(call, box, null),
})

/** @param account `null`: a new one */
async function applied(call: ApiCall<Query>, box: ConsoleBox, account: StoredAccount | null): Promise<Answered> {
  const { request, query, caller } = call
  const { dryRun, prune } = query
  const upload = await box.uploads.make(callerKey(caller))
  try {
    const hasContent = await knownContents(box, account?.id ?? null)
    const { sha256, ...received } = await tellingFaults(receiveFolder(request, { upload, dryRun, hasContent }))
    const by = await call.callerNow()
    const wanted = {
      ...received,
      account: account?.handle ?? null,
      dryRun,
      prune,
      isHere: by.kind === 'user',
      ...publishingAs(by, account?.id ?? null),
    }
    const first: { answer: Answered | null } = { answer: null }
    const response = await once({ call, content: sha256 }, box, async () => {
      first.answer = await answered(call, await tellingFaults(applyUpload(box, wanted)), box)
      return jsonAnswer(first.answer)
    })
    await upload.forgetPlaced()
    return first.answer ?? { value: (await response.json()) as Answered['value'], isRepeat: true }
  } catch (error) {
    if (mayGoOn(error)) await upload.keepHeld()
    throw error
  } finally {
    upload.remove()
  }
}

/** What made the disk full, or is more than an upload may have, would come to that again: it must not stay. */
const mayGoOn = (error: unknown): boolean => !(error instanceof ApiError && stuck.includes(error.code))
const stuck: readonly ApiErrorCode[] = ['too_large', 'unavailable']

type Answered = { value: Static<typeof applyAct.answer> } & NotedResult

async function answered(
  { query: { details } }: ApiCall<Query>,
  applied: AppliedUpload,
  box: ConsoleBox,
): Promise<Answered> {
  const { answer, ...noted } = await appliedDone(applied, box)
  return { ...noted, value: details ? { ...answer, ...detailsOf(applied) } : answer }
}

const detailsOf = ({ left, warnings, boxWarnings, skipped, changes }: AppliedUpload) => ({
  left,
  warnings: [...warnings, ...boxWarnings],
  skipped,
  notes: changes.map(({ note }) => note),
})
