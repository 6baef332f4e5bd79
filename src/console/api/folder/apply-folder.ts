import { type Static, Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../../account/account.ts'
import { applyJson } from '../../../operations/apply/apply-json.ts'
import { accountContents } from '../../../operations/upload/account-contents.ts'
import { type AppliedUpload, applyUpload } from '../../../operations/upload/apply-upload.ts'
import { folderPublished } from '../../audit/changes.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { publisherOf } from '../../publisher.ts'
import { type ApiCall, accountEndpoint, boxEndpoint } from '../endpoint.ts'
import { applySchema } from './apply-schema.ts'
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
  scope: 'publish',
  audited: ({ dryRun }: Query) => (dryRun ? null : 'account.apply'),
  query,
  takes: folderTypes,
  answer: applySchema,
} as const

export const applyFolderEndpoint = accountEndpoint({
  ...shared,
  path: '/accounts/:account/apply',
  summary: 'Publish a site folder: all of it or nothing',
  clients: 'nothing',
  run: async (call, box) => answered(call, await applied(call, box, call.account), box),
})

export const applyNewFolderEndpoint = boxEndpoint({
  ...shared,
  path: '/accounts/apply',
  summary: 'Make a new account of a site folder',
  run: async (call, box) => answered(call, await applied(call, box, null), box),
})

/** @param account `null`: a new one */
async function applied(
  { request, query, caller }: ApiCall<Query>,
  box: ConsoleBox,
  account: StoredAccount | null,
): Promise<AppliedUpload> {
  const upload = await box.uploads.make()
  try {
    const { dryRun, prune } = query
    const hasContent = await accountContents(box, account?.id ?? null)
    const received = await tellingFaults(receiveFolder(request, { upload, dryRun, hasContent }))
    const by = publisherOf(caller)
    const wanted = { ...received, account: account?.handle ?? null, dryRun, prune, by, isHere: caller.kind === 'user' }
    return await tellingFaults(applyUpload(box, wanted))
  } finally {
    upload.remove()
  }
}

const answered = async ({ query: { details } }: ApiCall<Query>, applied: AppliedUpload, box: ConsoleBox) => ({
  ...(await folderPublished(applied, box)),
  value: details ? { ...applyJson(applied), ...detailsOf(applied) } : applyJson(applied),
})

const detailsOf = ({ left, warnings, deliveryWarnings, skipped, changes }: AppliedUpload) => ({
  left,
  warnings: [...warnings, ...deliveryWarnings],
  skipped,
  notes: changes.map(({ note }) => note),
})
