import { Type } from '@sinclair/typebox'
import { NotThere } from '../../../lib/operator-error.ts'
import { revisionOf } from '../../../lib/revision.ts'
import { sentStream } from '../../../lib/sent-stream.ts'
import { appliedDone, settingsAct } from '../../../operations/apply/apply-act.ts'
import { editSiteToml, folderZip, keptFolder } from '../../../operations/upload/kept-folder.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { loggedBreak } from '../../log-failure.ts'
import { publishingAs } from '../../publisher.ts'
import { ApiError } from '../api-error.ts'
import { type AccountCall, accountEndpoint, etagOf } from '../endpoint.ts'
import { bodyWithin } from '../read-call.ts'
import { tellingFaults } from './folder-errors.ts'

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
  query: Type.Object({ dryRun: Type.Boolean({ default: false }) }),
  takes: ['application/toml', 'text/plain'],
  answer: settingsAct.answer,
  ifMatch: 'required',
  async run(call, box) {
    const { account, query, request, known } = call
    await kept(call, box)
    const text = utf8(await bodyWithin(request, siteTomlBytesMax))
    const by = await call.callerNow()
    const edit = { account: account.handle, text, dryRun: query.dryRun, ...publishingAs(by, account.id) }
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
