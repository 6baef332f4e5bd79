import { readSiteFolder, type SiteFolder } from '../../site/folder.ts'
import { doubtfulImages } from '../../site/image-bytes.ts'
import { NeedsAdmin } from '../../site/needs-admin.ts'
import type { NewReceiver } from '../../site/new-receivers.ts'
import { type SiteFault, SiteFaults, siteToml } from '../../site/site-faults.ts'
import { type AppliedFolder, type ApplyWanted, type ApplyWatch, applyFolder } from '../apply/apply-folder.ts'
import type { Box } from '../box.ts'

export interface UploadWanted
  extends Pick<ApplyWanted, 'dryRun' | 'prune' | 'by' | 'connects' | 'isHere' | 'mayDecideOnData'> {
  /** The site folder, absolute. */
  dir: string
  /** The account that the folder has to be of; `null`: a new one, whichever it is. */
  account: string | null
  /** Secrets that the sender fetched where the folder lies, by the keys that ask for them. */
  secrets: Readonly<Record<string, string>>
  /** Of a dry run: hashes of files whose bytes were not sent, by their absolute paths. */
  declared?: ReadonlyMap<string, string>
  /** Called within the publish lock, with the account's handle; refuses by throwing. */
  onLocked?: (handle: string) => Promise<void>
}

/** What an apply of an uploaded folder did, or a dry run would do. */
export interface AppliedUpload extends AppliedFolder {
  /** Sentences about the folder. */
  warnings: string[]
  /** Names in the folder that are not published. */
  skipped: string[]
}

export type ApplyingBox = Parameters<typeof applyFolder>[0]

/** How messages call a folder that came from elsewhere. */
const theFolder = 'The folder'

/**
 * Applies a folder that was uploaded, as `applyFolder` does one of this machine, but nothing of this machine is read for it: neither
 * its environment nor a file outside of the folder.
 *
 * @throws SiteFaults, with files relative to the folder; OperatorError. Nothing has changed then
 */
export async function applyUpload(
  box: ApplyingBox,
  { dir, account, secrets, ...wanted }: UploadWanted,
  watch: Partial<ApplyWatch> = {},
): Promise<AppliedUpload> {
  try {
    const folder = await readSiteFolder(dir, {}, secrets)
    await refuseOtherAccount(folder, account, box)
    const { onLocked, ...applying } = wanted
    const watching = {
      onProgress: () => {},
      onPublished: () => {},
      ...watch,
      async onLocked() {
        if (account === null) await refuseOtherAccount(folder, account, box)
        await onLocked?.(folder.handle)
      },
    }
    const { declared } = wanted
    const doubts = await doubtfulImages(folder.assets.filter(({ file }) => declared?.has(file) !== true))
    const applied = await applyFolder(box, { folder, dir: theFolder, ...applying }, watching)
    const { warnings, skipped } = folder
    return { ...applied, warnings: [...warnings, ...doubts], skipped }
  } catch (error) {
    if (!(error instanceof SiteFaults)) throw error
    throw new SiteFaults(theFolder, error.faults)
  }
}

/** @throws SiteFaults at the line that names the account */
async function refuseOtherAccount(
  { handle, handlePlace }: SiteFolder,
  account: string | null,
  { accounts }: Pick<Box, 'accounts'>,
): Promise<void> {
  const fault = (message: string): SiteFaults =>
    new SiteFaults(theFolder, [{ file: siteToml, ...handlePlace, message }])
  if (account !== null && account !== handle)
    throw fault(`the folder is of the account "${handle}"; this would publish it to "${account}"`)
  if (account === null && (await accounts.find(handle)) !== null)
    throw fault(`there is an account "${handle}" already; publish to that one, or choose another handle`)
}

/** The receivers that whoever published may not add, if they lack the right to decide about visitors' data. */
export const receiversIn = (error: unknown): readonly NewReceiver[] | null =>
  error instanceof NeedsAdmin ? error.receivers : null

/** The faults of a folder, if those were the matter. */
export const siteFaultsOf = (error: unknown): readonly SiteFault[] | null =>
  error instanceof SiteFaults ? error.faults : null
