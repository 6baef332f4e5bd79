import { chownSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { cleanUpWhenInterrupted } from '../../lib/interruption.ts'
import { applyAct, folderApplied } from '../../operations/apply/apply-act.ts'
import { type ApplyWatch, applyFolder, NotPublished } from '../../operations/apply/apply-folder.ts'
import { readSiteFolder, type SiteFolder } from '../../site/folder.ts'
import type { Consent } from '../../site/harm.ts'
import { notedCommand } from '../audit/noted-command.ts'
import type { ExitStatus } from '../command.ts'
import { dataOwner, processUser } from '../data-folder/data-owner.ts'
import { noticeOtherBox } from '../data-folder/prepare.ts'
import { commandPublisher } from '../input/typing-user.ts'
import { openBox } from '../open.ts'
import { printedLines, printResult } from '../output/print-result.ts'
import type { Session } from '../session.ts'
import { applyResult, notPublished, skippedLines } from './present.ts'
import { applyProgress } from './progress.ts'
import { withConsent } from './with-consent.ts'

interface ApplyRequest {
  dir: string
  dryRun: boolean
  prune: boolean
  accept: Consent
  strict: boolean
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
    const { done, isShown } = await publishFolder(request, session, { progress, onPublished })
    return await printResult(applyResult(done, request, isShown), request.json, session)
  } catch (error) {
    if (error instanceof NotPublished) return printResult(notPublished(error, request), request.json, session)
    // The result cannot be written: the output's disk is full.
    if (published !== null) session.err.write(`The result is not shown: ${standingText(published)}`)
    throw error
  } finally {
    settle()
  }
}

interface PublishWatch extends Pick<ApplyWatch, 'onPublished'> {
  progress: ReturnType<typeof applyProgress>
}

async function publishFolder(request: ApplyRequest, session: Session, { progress, onPublished }: PublishWatch) {
  const { config, file } = await session.loadConfig()
  const dir = resolve(session.cwd, request.dir)
  // Read the folder before opening the box, as root: the data folder's owner may not have access to it.
  const read = await readSiteFolder(dir, session.env)
  session.err.write(printedLines(skippedLines(read)))
  using readable = copyForOwner(read, config.dataDir)
  const { folder } = readable
  const box = await openBox(config, session)
  try {
    const where = { dataDir: config.dataDir, configFile: file, cwd: session.cwd }
    await noticeOtherBox(box.accounts, where, (message) => session.err.write(printedLines([`warning: ${message}`])))
    const { dryRun, prune, strict } = request
    const watch = { onProgress: progress.show, onPublished }
    const by = commandPublisher(session)
    const rights = { connects: 'any', mayDecideOnData: true } as const
    const publish = (accept: Consent) =>
      applyFolder(
        box,
        { folder, dir, dryRun, prune, accept, strict, by, origin: 'elsewhere', ...rights },
        watch,
      ).finally(progress.end)
    const work = () => withConsent(publish, request, session)
    if (dryRun) return await work()
    const act = {
      action: applyAct.name,
      account: folder.handle,
      change: ({ done }: Awaited<ReturnType<typeof work>>) => folderApplied(done),
    }
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

interface Owner {
  uid: number
  gid: number
}

/**
 * The folder's files where the data folder's owner can read them: root, who becomes that owner, copies those of a closed folder,
 * such as a home of mode 0700. Call it before the data folder is opened, and dispose of it when nobody reads the files any more.
 */
function copyForOwner(folder: SiteFolder, dataDir: string): { folder: SiteFolder } & Disposable {
  const owner = processUser().uid === 0 ? dataOwner(dataDir) : null
  if (owner === null || owner.uid === 0 || isOpenTo(owner, folder)) return { folder, [Symbol.dispose]() {} }
  const dir = mkdtempSync(join(tmpdir(), 'capture-apply-'))
  const remove = () => rmSync(dir, { recursive: true, force: true })
  const settle = cleanUpWhenInterrupted(remove)
  const end = () => {
    remove()
    settle()
  }
  try {
    const assets = folder.assets.map((asset, index) => {
      const file = join(dir, String(index))
      copyFileSync(asset.file, file)
      chownSync(file, owner.uid, owner.gid)
      return { ...asset, file }
    })
    chownSync(dir, owner.uid, owner.gid)
    return { folder: { ...folder, assets }, [Symbol.dispose]: end }
  } catch (error) {
    end()
    throw error
  }
}

/** Whether the modes of all files, and of the folders above them, let the user read. */
function isOpenTo(owner: Owner, { assets }: SiteFolder): boolean {
  const folders = new Map<string, boolean>()
  const isOpen = (folder: string): boolean => {
    const known = folders.get(folder)
    if (known !== undefined) return known
    const open = permits(folder, owner, 1) && (folder === dirname(folder) || isOpen(dirname(folder)))
    folders.set(folder, open)
    return open
  }
  return assets.every(({ file }) => permits(file, owner, 4) && isOpen(dirname(file)))
}

/** @param right 4: read, 1: search (inode(7)) */
function permits(path: string, { uid, gid }: Owner, right: 4 | 1): boolean {
  const stats = statSync(path)
  const shift = stats.uid === uid ? 6 : stats.gid === gid ? 3 : 0
  return ((stats.mode >> shift) & right) !== 0
}
