import { resolve } from 'node:path'
import { tokenVariable } from '../../../config/environment.ts'
import { isOwnHostname } from '../../../lib/hostname.ts'
import { NotPublished } from '../../../operations/apply/apply-folder.ts'
import { doubtfulImages } from '../../../site/asset-bytes.ts'
import { readSiteFolder } from '../../../site/folder.ts'
import { FolderReferences } from '../../../site/folder-references.ts'
import { type Consent, unaccepted } from '../../../site/harm.ts'
import { pageWarnings } from '../../../site/page-warnings.ts'
import { type SiteWarning, siteFaultLine } from '../../../site/site-faults.ts'
import { type CommandResult, usageError } from '../../command.ts'
import { printedLines } from '../../output/print-result.ts'
import type { Session } from '../../session.ts'
import { applyResult, notPublished, skippedLines } from '../present.ts'
import { applyProgress } from '../progress.ts'
import { withConsent } from '../with-consent.ts'
import { appliedRemotely, applyRemotely, planRemotely } from './apply-remote.ts'
import { HarmThere, RemoteBox } from './remote-box.ts'
import { remoteFolder } from './remote-folder.ts'

interface RemoteRequest {
  dir: string
  to: string
  /** `undefined`: the environment's. */
  token: string | undefined
  dryRun: boolean
  prune: boolean
  accept: Consent
  json: boolean
  strict: boolean
}

/** `capture apply DIR --to URL`: publishes the folder to another box by its API, and prints what a local apply prints. */
export async function runRemoteApply(request: RemoteRequest, session: Session): Promise<CommandResult> {
  const { err } = session
  const dir = resolve(session.cwd, request.dir)
  const box = new RemoteBox(apiAddress(request.to), tokenOf(request, session), dir)
  const folder = await readSiteFolder(dir, session.env)
  err.write(printedLines(skippedLines(folder)))
  const progress = applyProgress(session)
  const references = new FolderReferences(folder)
  const ready = await remoteFolder(folder, {
    dir,
    reader: references,
    onDone: (done, total) => progress.show('reading', done, total),
  })
  progress.end()
  const wanted = { handle: folder.handle, prune: request.prune }
  const compared = request.dryRun ? folder.assets : []
  const { isNew, plan } = await planRemotely(box, ready, { ...wanted, compared, naming: references.forms })
  // The box has not seen all bytes yet.
  const seenHere = [...(await doubtfulImages(folder.assets)), ...pageWarnings(folder, references, plan.left)]
  const planned = appliedRemotely({ ...plan, warnings: distinct([...plan.warnings, ...seenHere]) })
  if (request.dryRun) return applyResult(planned, request)
  if (request.strict && planned.warnings.length > 0) return notPublished(new NotPublished('warnings', planned), request)
  const onPause = (pauseMs: number) =>
    err.write(`The connection broke. What arrived whole stays there; going on in ${pauseMs / 1000} s.\n`)
  const onUnderWay = () =>
    err.write('The whole folder has arrived, and the box is still applying it: waiting for that.\n')
  const publish = async (accept: Consent) => {
    if (unaccepted(planned.harm, accept).length > 0) throw new NotPublished('harm', planned)
    const wantedNow = { ...wanted, isNew, accept, onPause, onUnderWay }
    return applyRemotely(box, ready, wantedNow).catch((error: unknown) => {
      throw error instanceof HarmThere ? new NotPublished('harm', { ...planned, harm: error.harm }) : error
    })
  }
  try {
    const { done, isShown } = await withConsent(publish, request, session)
    if (box.isBehind)
      err.write('Warning: The folder is published on one machine of the cluster, and not yet on the others.\n')
    return applyResult(appliedRemotely(done), request, isShown)
  } catch (error) {
    if (error instanceof NotPublished) return notPublished(error, request)
    throw error
  }
}

const distinct = (warnings: readonly SiteWarning[]): SiteWarning[] => [
  ...new Map(warnings.map((warning) => [siteFaultLine(warning), warning])).values(),
]

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
