import { readSiteFolder, type SiteFolder } from '../../site/folder.ts'
import { noConsent } from '../../site/harm.ts'
import { NeedsAdmin } from '../../site/needs-admin.ts'
import type { NewReceiver } from '../../site/new-receivers.ts'
import { type SiteFault, SiteFaults, siteToml } from '../../site/site-faults.ts'
import { shownSiteToml } from '../../site/site-toml.ts'
import {
  type AppliedFolder,
  type ApplyWanted,
  type ApplyWatch,
  applyFolder,
  NotPublished,
} from '../apply/apply-folder.ts'
import type { Box } from '../box.ts'

export interface UploadWanted
  extends Pick<
    ApplyWanted,
    'dryRun' | 'prune' | 'accept' | 'strict' | 'by' | 'connects' | 'origin' | 'mayDecideOnData'
  > {
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
): Promise<AppliedFolder> {
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
    return await applyFolder(box, { folder, dir: theFolder, ...applying }, watching)
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

/** What nobody has consented to, if that kept a folder from being published. */
export const harmIn = (error: unknown): AppliedFolder['harm'] | null =>
  error instanceof NotPublished && error.why === 'harm' ? error.planned.harm : null

/** The faults of a folder, if those were the matter. */
export const siteFaultsOf = (error: unknown): readonly SiteFault[] | null =>
  error instanceof SiteFaults ? error.faults : null

/** Of a plan that is shown before it is published. */
export const planOnly = { dryRun: true, accept: noConsent, strict: false } as const

/** What an upload would change, or why it cannot be published. */
type UploadPlan = { plan: AppliedFolder; faults: null } | { plan: null; faults: readonly SiteFault[]; siteToml: string }

/** Plans a folder that was uploaded, and changes nothing. @throws OperatorError for what is no fault of the folder */
export async function planUpload(
  box: ApplyingBox,
  wanted: Omit<UploadWanted, 'dryRun' | 'accept' | 'strict'>,
): Promise<UploadPlan> {
  try {
    return { plan: await applyUpload(box, { ...wanted, ...planOnly }), faults: null }
  } catch (error) {
    const faults = siteFaultsOf(error)
    if (faults === null) throw error
    return { plan: null, faults, siteToml: await shownSiteToml(wanted.dir) }
  }
}

/** Of accounts now, by handle: changes with everything that a plan is made of. `none`: there is no such account. */
export async function accountStates({ accounts }: Pick<Box, 'accounts'>): Promise<(handle: string) => string> {
  const now = await accounts.list()
  return (handle) => now.find((account) => account.handle === handle)?.changedAt ?? 'none'
}

/**
 * Tells of hashes whether the account has that content, published or in the folder that the box keeps of it, and the box the
 * bytes. Others' contents count as unknown: whoever names a hash of theirs must not get at it.
 */
export async function knownContents(
  { catalogue, folders, assets }: Pick<Box, 'catalogue' | 'folders' | 'assets'>,
  accountId: string | null,
): Promise<(sha256: string) => Promise<boolean>> {
  if (accountId === null) return async () => false
  const published = await catalogue.assets(accountId)
  const kept = await folders.read(accountId)
  const known = new Set([
    ...published.map(({ current }) => current.sha256),
    ...(kept?.files ?? []).map(({ sha256 }) => sha256),
  ])
  return async (sha256) => known.has(sha256) && (await assets.open({ sha256, encoding: 'identity' })) !== null
}
