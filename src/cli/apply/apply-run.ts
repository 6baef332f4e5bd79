import { resolve } from 'node:path'
import { cleanUpWhenInterrupted } from '../../lib/interruption.ts'
import { applyAct, applyJson, folderApplied } from '../../operations/apply/apply-act.ts'
import { type AppliedFolder, type ApplyWatch, applyFolder } from '../../operations/apply/apply-folder.ts'
import { doubtfulImages } from '../../site/asset-bytes.ts'
import { readSiteFolder } from '../../site/folder.ts'
import { notedCommand } from '../audit/noted-command.ts'
import type { ExitStatus } from '../command.ts'
import { noticeOtherBox } from '../data-folder/prepare.ts'
import { commandPublisher } from '../input/typing-user.ts'
import { openBox } from '../open.ts'
import { printedLines, printResult } from '../output/print-result.ts'
import type { Session } from '../session.ts'
import { copyForOwner } from './copy-for-owner.ts'
import { applyResult, replacedLines } from './present.ts'
import { applyProgress } from './progress.ts'

export interface ApplyRequest {
  dir: string
  dryRun: boolean
  prune: boolean
  json: boolean
}

/** `capture apply`: publishes the folder and prints the changes. An interruption prints the state of affairs. */
export async function runApply(request: ApplyRequest, session: Session): Promise<ExitStatus> {
  const progress = applyProgress(session)
  let published: Publication | null = null
  const settle = cleanUpWhenInterrupted(() => {
    progress.end()
    session.err.write(`Interrupted: ${standingText(published)}`)
  })
  const onPublished = (publication: Publication): void => {
    published = publication
  }
  try {
    const onReplacing: ApplyWatch['onReplacing'] = (replaced) => {
      progress.end()
      session.err.write(printedLines(replacedLines(replaced, { dryRun: false })))
    }
    const applied = await publishFolder(request, session, { onProgress: progress.show, onReplacing, onPublished })
    progress.end()
    return await printResult(applyResult(applied, applyJson(applied), request), request.json, session)
  } catch (error) {
    // The result cannot be written: the output's disk is full.
    if (published !== null) session.err.write(`The result is not shown: ${standingText(published)}`)
    throw error
  } finally {
    settle()
  }
}

async function publishFolder(request: ApplyRequest, session: Session, watch: ApplyWatch): Promise<AppliedFolder> {
  const { config, file } = await session.loadConfig()
  const dir = resolve(session.cwd, request.dir)
  // Read the folder before opening the box, as root: the data folder's owner may not have access to it.
  const read = await readSiteFolder(dir, session.env)
  const warnings = [...read.warnings, ...(await doubtfulImages(read.assets))]
  session.err.write(printedLines(warnings.map((warning) => `warning: ${warning}`)))
  session.err.write(printedLines(read.skipped.map((skipped) => `skipped: ${skipped}`)))
  using readable = copyForOwner(read, config.dataDir)
  const { folder } = readable
  const box = await openBox(config, session)
  try {
    const where = { dataDir: config.dataDir, configFile: file, cwd: session.cwd }
    await noticeOtherBox(box.accounts, where, (message) => session.err.write(printedLines([`warning: ${message}`])))
    const { dryRun, prune } = request
    const by = commandPublisher(session)
    const rights = { connects: 'any', mayDecideOnData: true } as const
    const work = () => applyFolder(box, { folder, dir, dryRun, prune, by, isHere: false, ...rights }, watch)
    if (dryRun) return await work()
    const act = { action: applyAct.name, account: folder.handle, change: folderApplied }
    return await notedCommand({ box, session, act }, work)
  } finally {
    await box.close()
  }
}

type Publication = Parameters<ApplyWatch['onPublished']>[0]

/** The state after an interrupted apply. `null`: nothing was published. */
function standingText(published: Publication | null): string {
  if (published === null) return 'nothing has changed. Visitors see what they saw before; run apply again to publish.\n'
  const { account, hasNewKey, newSecrets } = published
  const key = hasNewKey
    ? ` The account's tracking key was not shown: \`capture key rotate ${account}\` makes another.`
    : ''
  const secrets = newSecrets.map(
    (name) =>
      ` The secret of the delivery "${name}" was not shown: \`capture delivery secret rotate ${account} ${name}\` makes another.`,
  )
  return `the folder is published, and visitors see it.${key}${secrets.join('')} The next apply cleans up the leftovers.\n`
}
