import type { SiteFault } from '../../site/site-faults.ts'
import { shownSiteToml } from '../../site/site-toml.ts'
import type { Box } from '../box.ts'
import { type AppliedUpload, type ApplyingBox, applyUpload, siteFaultsOf, type UploadWanted } from './apply-upload.ts'

/** What an upload would change, or why it cannot be published. */
export type UploadPlan =
  | { plan: AppliedUpload; faults: null }
  | { plan: null; faults: readonly SiteFault[]; siteToml: string }

/** Plans a folder that was uploaded, and changes nothing. @throws OperatorError for what is no fault of the folder */
export async function planUpload(box: ApplyingBox, wanted: Omit<UploadWanted, 'dryRun'>): Promise<UploadPlan> {
  try {
    return { plan: await applyUpload(box, { ...wanted, dryRun: true }), faults: null }
  } catch (error) {
    const faults = siteFaultsOf(error)
    if (faults === null) throw error
    return { plan: null, faults, siteToml: await shownSiteToml(wanted.dir) }
  }
}

/** Changes with everything that a plan was made of. `none`: there is no such account. */
export async function accountState({ accounts }: Pick<Box, 'accounts'>, handle: string): Promise<string> {
  return (await accounts.list()).find((account) => account.handle === handle)?.changedAt ?? 'none'
}
