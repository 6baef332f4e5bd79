import type { Box } from '../box.ts'

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
