import { resolve } from 'node:path'
import { tokenVariable } from '../../../config/environment.ts'
import { readSiteFolder } from '../../../site/folder.ts'
import { type ExitStatus, usageError } from '../../command.ts'
import { toJson } from '../../output/json.ts'
import { printable } from '../../output/printable.ts'
import type { Session } from '../../session.ts'
import { presentText } from '../present.ts'
import { applyProgress } from '../progress.ts'
import { replacedText } from '../replaced-text.ts'
import { applyRemotely, planRemotely } from './apply-remote.ts'
import { apiAddress } from './console-address.ts'
import { RemoteBox } from './remote-box.ts'
import { remoteFolder } from './remote-folder.ts'
import { appliedRemotely, type RemoteResult, remoteJson } from './remote-result.ts'

export interface RemoteRequest {
  dir: string
  to: string
  /** `undefined`: the environment's. */
  token: string | undefined
  dryRun: boolean
  prune: boolean
  json: boolean
}

/** `capture apply DIR --to URL`: publishes the folder to another box by its API, and prints what a local apply prints. */
export async function runRemoteApply(request: RemoteRequest, session: Session): Promise<ExitStatus> {
  const { err } = session
  const dir = resolve(session.cwd, request.dir)
  const box = new RemoteBox(apiAddress(request.to), tokenOf(request, session), dir)
  const folder = await readSiteFolder(dir, session.env)
  const progress = applyProgress(session)
  const ready = await remoteFolder(folder, dir, (done, total) => progress.show('reading', done, total))
  progress.end()
  const wanted = { handle: folder.handle, prune: request.prune }
  const { isNew, plan } = await planRemotely(box, ready, wanted)
  for (const warning of plan.warnings) err.write(`warning: ${printable(warning)}\n`)
  for (const skipped of folder.skipped) err.write(`skipped: ${printable(skipped)}\n`)
  const { replaced } = appliedRemotely(plan)
  if (replaced.length > 0) err.write(replacedText(replaced, request.dryRun))
  const onPause = (pauseMs: number) =>
    err.write(`The connection broke. What arrived whole stays there; going on in ${pauseMs / 1000} s.\n`)
  const result = request.dryRun ? plan : await applyRemotely(box, ready, { ...wanted, isNew, onPause })
  await present(result, request, session)
  return 0
}

async function present(result: RemoteResult, request: RemoteRequest, { out, err }: Session): Promise<void> {
  const text = request.json ? { out: toJson(remoteJson(result)), err: '' } : null
  const { out: printed, err: beside } = presentText(appliedRemotely(result), request)
  await out.write(text?.out ?? printed)
  err.write(beside)
}

function tokenOf({ token }: RemoteRequest, { env }: Session): string {
  const text = token ?? env[tokenVariable] ?? ''
  if (text !== '') return text
  throw usageError(
    `--to needs a token: give --token cap_…, or set ${tokenVariable}. \`capture token create\` makes one on the box.`,
  )
}
