import { OperatorError } from '../../../lib/operator-error.ts'
import { folderForm } from './folder-form.ts'
import type { RemoteAnswer, RemoteBox } from './remote-box.ts'
import type { RemoteFolder } from './remote-folder.ts'
import type { RemoteResult } from './remote-result.ts'

export interface RemoteWanted {
  handle: string
  prune: boolean
}

/** As many as one call takes. */
const hashesPerCall = 3000

/** What an apply would change there. Sends names and hashes alone. @throws OperatorError */
export async function planRemotely(
  box: RemoteBox,
  { manifest }: RemoteFolder,
  { handle, prune }: RemoteWanted,
): Promise<{ isNew: boolean; plan: RemoteResult }> {
  const query = `?details=true&dryRun=true${prune ? '&prune=true' : ''}`
  const isNew = (await askMissing(box, handle, [])).status === 404
  const path = isNew ? '/accounts/apply' : `/accounts/${handle}/apply`
  return { isNew, plan: resultOf(await box.post(path + query, folderForm(manifest, []))) }
}

/** Sends what the box lacks, and applies the folder: all of it or nothing. @throws OperatorError */
export async function applyRemotely(
  box: RemoteBox,
  { manifest, fileOf }: RemoteFolder,
  { handle, prune, isNew }: RemoteWanted & { isNew: boolean },
): Promise<RemoteResult> {
  const hashes = [...fileOf.keys()]
  const missing = isNew ? hashes : await missingOf(hashes, box, handle)
  const form = folderForm(
    manifest,
    missing.flatMap((hash) => fileOf.get(hash) ?? []),
  )
  const path = isNew ? '/accounts/apply' : `/accounts/${handle}/apply`
  return resultOf(await box.post(`${path}?details=true${prune ? '&prune=true' : ''}`, form))
}

async function missingOf(hashes: readonly string[], box: RemoteBox, handle: string): Promise<string[]> {
  const missing: string[] = []
  for (let from = 0; from < hashes.length; from += hashesPerCall) {
    const { status, value } = await askMissing(box, handle, hashes.slice(from, from + hashesPerCall))
    if (status === 404) throw new OperatorError(`The account "${handle}" is gone from that box. Run the command again.`)
    missing.push(...(value as { missing: string[] }).missing)
  }
  return missing
}

/** 404: there is no such account, or the token has no part in it. */
const askMissing = (box: RemoteBox, handle: string, hashes: readonly string[]): Promise<RemoteAnswer> =>
  box.post(`/accounts/${handle}/folder/missing`, { type: 'application/json', body: JSON.stringify({ hashes }) })

function resultOf({ status, value }: RemoteAnswer): RemoteResult {
  if (status === 200) return value as RemoteResult
  throw new OperatorError('There is no API of Capture at that address. Is it that of the console?')
}
