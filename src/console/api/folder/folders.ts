import { type Static, Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../../account/account.ts'
import { NotThere } from '../../../lib/operator-error.ts'
import { revisionOf } from '../../../lib/revision.ts'
import { sentStream } from '../../../lib/sent-stream.ts'
import type { NotedResult } from '../../../operations/act.ts'
import { appliedDone, applyAct, receiverJson, settingsAct } from '../../../operations/apply/apply-act.ts'
import type { AppliedFolder } from '../../../operations/apply/apply-folder.ts'
import { consentOf } from '../../../operations/apply/consent.ts'
import {
  applyUpload,
  harmIn,
  knownContents,
  receiversIn,
  siteFaultsOf,
} from '../../../operations/upload/apply-upload.ts'
import { editSiteToml, folderZip, keptFolder } from '../../../operations/upload/kept-folder.ts'
import { UploadFault, type UploadFaultReason } from '../../../operations/upload/upload-folder.ts'
import { callerKey } from '../../access/caller.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { loggedBreak } from '../../log-failure.ts'
import { publishingAs } from '../../publisher.ts'
import { ApiError, type ApiErrorCode } from '../api-error.ts'
import { type AccountCall, type ApiCall, accountEndpoint, boxEndpoint, etagOf, jsonAnswer } from '../endpoint.ts'
import { once } from '../idempotency.ts'
import { bodyWithin } from '../read-call.ts'
import { folderTypes, receiveFolder } from './received-folder.ts'

/** The kinds of harm that the caller consents to: `page_offline,form_gone`, or `all`. */
const acceptParameter = Type.String({ default: '' })

const query = Type.Object({
  /** Says what would change, and changes nothing. */
  dryRun: Type.Boolean({ default: false }),
  /** Removes what the folder no longer holds. */
  prune: Type.Boolean({ default: false }),
  accept: acceptParameter,
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
  const accept = consentOf(query.accept)
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
      accept,
      strict: false,
      origin: by.kind === 'user' ? ('console' as const) : ('elsewhere' as const),
      ...publishingAs(by, account?.id ?? null),
    }
    const first: { answer: Answered | null } = { answer: null }
    const response = await once({ call, content: sha256 }, box, async () => {
      first.answer = await answered(await tellingFaults(applyUpload(box, wanted)), box)
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

async function answered(applied: AppliedFolder, box: ConsoleBox): Promise<Answered> {
  const { answer: value, ...noted } = await appliedDone(applied, box)
  return { ...noted, value }
}

const siteTomlBytesMax = 16_777_216
const tomlType = 'application/toml; charset=utf-8'

export const folderZipEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/folder',
  summary: 'Download the site folder that the account was last published from, without secrets',
  scope: 'read',
  answer: Type.String({ contentEncoding: 'binary' }),
  produces: 'application/zip',
  async run(call, box) {
    const headers = {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${call.account.handle}.zip"`,
      'cache-control': 'no-store',
    }
    const zip = await folderZip(await kept(call, box), box)
    return new Response(sentStream(zip, { onFailure: loggedBreak(box.log) }), { headers })
  },
})

export const readSiteTomlEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/site.toml',
  summary: 'Read site.toml as it was last applied, without secrets',
  scope: 'read',
  answer: Type.String(),
  answersETag: true,
  produces: 'application/toml',
  async run(call, box) {
    const { siteToml } = await kept(call, box)
    const headers = { 'content-type': tomlType, ...etagOf(revisionOf(siteToml)), 'cache-control': 'no-store' }
    return new Response(siteToml, { headers })
  },
})

export const writeSiteTomlEndpoint = accountEndpoint({
  method: 'PUT',
  path: '/accounts/:account/site.toml',
  summary: 'Publish the folder that the box keeps with another site.toml',
  scope: settingsAct.scope,
  audited: ({ dryRun }) => (dryRun ? null : settingsAct.name),
  query: Type.Object({ dryRun: Type.Boolean({ default: false }), accept: acceptParameter }),
  takes: ['application/toml', 'text/plain'],
  answer: settingsAct.answer,
  ifMatch: 'required',
  async run(call, box) {
    const { account, query, request, known } = call
    const accept = consentOf(query.accept)
    await kept(call, box)
    const text = utf8(await bodyWithin(request, siteTomlBytesMax))
    const by = await call.callerNow()
    const { dryRun } = query
    const edit = { account: account.handle, text, dryRun, accept, ...publishingAs(by, account.id) }
    const applied = await tellingFaults(editSiteToml(box, { ...edit, known }))
    const { answer: value, ...noted } = await appliedDone(applied, box)
    return { value, ...noted }
  },
})

/** @throws ApiError `not_found` that says what is missing */
async function kept({ account }: Pick<AccountCall, 'account'>, box: ConsoleBox) {
  try {
    return await keptFolder(box, account.handle)
  } catch (error) {
    if (error instanceof NotThere) throw new ApiError('not_found', error.message)
    throw error
  }
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ApiError('invalid', 'The text is not UTF-8.')
  }
}

const codes: Record<UploadFaultReason, ApiErrorCode> = {
  unfit: 'invalid',
  too_large: 'too_large',
  no_room: 'unavailable',
}

/** Answers with the faults of a folder one by one, in the words of the command; with the receivers that the caller may not add. */
async function tellingFaults<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof UploadFault) throw new ApiError(codes[error.reason], error.message)
    const receivers = receiversIn(error)
    if (receivers !== null)
      throw new ApiError('forbidden', (error as Error).message, {}, { receivers: receivers.map(receiverJson) })
    const harm = harmIn(error)
    if (harm !== null) throw new ApiError('harm', undefined, {}, { harm })
    const faults = siteFaultsOf(error)
    if (faults === null) throw error
    const message = `The folder cannot be published, and nothing was changed; faults: ${faults.length}.`
    throw new ApiError('invalid', message, {}, { faults })
  }
}
