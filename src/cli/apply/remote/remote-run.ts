import { resolve } from 'node:path'
import { tokenVariable } from '../../../config/environment.ts'
import { isOwnHostname } from '../../../lib/hostname.ts'
import { doubtfulImages } from '../../../site/asset-bytes.ts'
import { readSiteFolder } from '../../../site/folder.ts'
import { type CommandResult, usageError } from '../../command.ts'
import { printedLines } from '../../output/print-result.ts'
import type { Session } from '../../session.ts'
import { applyResult, replacedLines } from '../present.ts'
import { applyProgress } from '../progress.ts'
import { appliedRemotely, applyRemotely, planRemotely, remoteJson } from './apply-remote.ts'
import { RemoteBox } from './remote-box.ts'
import { remoteFolder } from './remote-folder.ts'

interface RemoteRequest {
  dir: string
  to: string
  /** `undefined`: the environment's. */
  token: string | undefined
  dryRun: boolean
  prune: boolean
}

/** `capture apply DIR --to URL`: publishes the folder to another box by its API, and prints what a local apply prints. */
export async function runRemoteApply(request: RemoteRequest, session: Session): Promise<CommandResult> {
  const { err } = session
  const dir = resolve(session.cwd, request.dir)
  const box = new RemoteBox(apiAddress(request.to), tokenOf(request, session), dir)
  const folder = await readSiteFolder(dir, session.env)
  const progress = applyProgress(session)
  const ready = await remoteFolder(folder, dir, (done, total) => progress.show('reading', done, total))
  progress.end()
  const wanted = { handle: folder.handle, prune: request.prune }
  const { isNew, plan } = await planRemotely(box, ready, wanted)
  // The box has not seen all images yet.
  const warnings = new Set([...plan.warnings, ...(await doubtfulImages(folder.assets))])
  err.write(printedLines([...warnings].map((warning) => `warning: ${warning}`)))
  err.write(printedLines(folder.skipped.map((skipped) => `skipped: ${skipped}`)))
  if (!request.dryRun) err.write(printedLines(replacedLines(appliedRemotely(plan).replaced, request)))
  const onPause = (pauseMs: number) =>
    err.write(`The connection broke. What arrived whole stays there; going on in ${pauseMs / 1000} s.\n`)
  const onUnderWay = () =>
    err.write('The whole folder has arrived, and the box is still applying it: waiting for that.\n')
  const result = request.dryRun ? plan : await applyRemotely(box, ready, { ...wanted, isNew, onPause, onUnderWay })
  return applyResult(appliedRemotely(result), remoteJson(result), request)
}

function tokenOf({ token }: RemoteRequest, { env }: Session): string {
  const text = token ?? env[tokenVariable] ?? ''
  if (text !== '') return text
  throw usageError(
    `--to needs a token: give --token cap_…, or set ${tokenVariable}. \`capture token create\` makes one on the box.`,
  )
}

/**
 * Where the API of a console answers. @param text `https://console.agency.example`; plain `http` on this machine alone, since the
 * token goes along
 */
function apiAddress(text: string): string {
  const url = URL.parse(text)
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (
    url !== null &&
    isPlain &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isOwnHostname(url.hostname)))
  )
    return `${url.origin}/api/v1`
  throw usageError(
    '--to takes the address of a console: https://console.agency.example, or http://localhost:8081 on this machine. Over plain HTTP the token could be read on the way.',
  )
}
