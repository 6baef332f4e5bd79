import type { AssetStore } from '../../asset/asset-store.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { SubmissionRecord } from '../../report/record.ts'
import type { Box } from '../box.ts'

/** Whether a page's bytes are still stored. */
export const isPageStored = async (assets: Pick<AssetStore, 'open'>, sha256: string): Promise<boolean> =>
  (await assets.open({ sha256, encoding: 'identity' })) !== null

/**
 * The landing page served to a submission's device, exactly as it was published.
 *
 * @throws OperatorError when no page is known, or its bytes are missing or damaged
 */
export async function servedPage(
  { assets }: Pick<Box, 'assets'>,
  { page, submissionId }: Pick<SubmissionRecord, 'page' | 'submissionId'>,
): Promise<Uint8Array> {
  if (page === null) {
    throw new OperatorError(
      `No landing page is known to have been served to the device of ${submissionId} before: there are no page bytes.`,
    )
  }
  const { slug, sha256 } = page
  const file = await assets.open({ sha256, encoding: 'identity' })
  if (file === null) {
    throw new OperatorError(
      `The bytes of /${slug} that were served then (SHA-256 ${sha256}) are no longer kept. A backup from that time holds them, and so may the site folder's history.`,
    )
  }
  const bytes = await file.bytes()
  if (Bun.SHA256.hash(bytes, 'hex') === sha256) return bytes
  throw new OperatorError(
    `The bytes kept of /${slug} are damaged: they are not those of SHA-256 ${sha256}. Restore the latest backup: capture restore FILE`,
  )
}
